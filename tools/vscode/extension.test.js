// Tests the extension with an editor that only writes down what it is asked: `npm test`, which needs no package.

const assert = require("node:assert/strict");
const Module = require("node:module");
const { beforeEach, test } = require("node:test");

const seen = { clients: [], messages: [] };
let settings, fails, changed;

const vscode = {
  commands: { registerCommand: (name, act) => ({ name, act }), executeCommand: async () => undefined },
  env: {},
  Uri: {},
  window: { showErrorMessage: async (text) => void seen.messages.push(text) },
  workspace: {
    workspaceFolders: [{ uri: { fsPath: "/thesis" } }],
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (act) => void (changed = act),
  },
};

class LanguageClient {
  constructor(_id, _name, server, documents) {
    Object.assign(this, { server, documents, runs: false });
    seen.clients.push(this);
  }
  async start() {
    if (fails) throw new Error("ENOENT");
    this.runs = true;
  }
  async stop() {
    this.runs = false;
  }
}

const load = Module._load;
const instead = { vscode, "vscode-languageclient/node": { LanguageClient } };
Module._load = (name, ...more) => instead[name] ?? load(name, ...more);
const { activate, deactivate } = require("./extension.js");

const begin = async () => {
  const context = { subscriptions: [] };
  await activate(context);
  return context.subscriptions;
};

beforeEach(() => {
  settings = { command: "pagequote", corpus: "", trustedFolders: [] };
  fails = false;
  Object.assign(seen, { clients: [], messages: [] });
});

test("the server is started in the folder that is open, for the languages of drafts", async () => {
  await begin();
  const [{ server, documents, runs }] = seen.clients;
  assert.deepEqual(server, { command: "pagequote", args: ["lsp"], options: { cwd: "/thesis" } });
  assert.ok(["latex", "markdown", "typst"].every((one) => documents.documentSelector.some(({ language }) => language === one)));
  assert.equal(documents.markdown.isTrusted, false);
  assert.ok(runs);
});

test("a change of its settings starts it again with the corpus that they name", async () => {
  await begin();
  settings.corpus = "/papers/corpus";
  await changed({ affectsConfiguration: (name) => name === "pagequote" });
  assert.deepEqual(seen.clients.map(({ runs }) => runs), [false, true]);
  assert.deepEqual(seen.clients[1].server.args, ["lsp", "--corpus", "/papers/corpus"]);
  await changed({ affectsConfiguration: () => false });
  assert.equal(seen.clients.length, 2);
});

test("it is stopped with the editor, and started again by its command", async () => {
  const [command] = await begin();
  await deactivate();
  assert.equal(seen.clients[0].runs, false);
  await command.act();
  assert.equal(command.name, "pagequote.restart");
  assert.ok(seen.clients[1].runs);
});

test("a program that does not start is named", async () => {
  fails = true;
  await begin();
  assert.match(seen.messages[0], /'pagequote' does not start \(ENOENT\)/);
});
