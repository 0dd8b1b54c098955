// Starts `pagequote lsp`, and shows what it says: the judgements, hovers with the strip of print, corrections.

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["latex", "tex", "markdown", "quarto", "rmd", "typst"];

let client;

/** Returns how the server is started: its program, its arguments, and the folder that is open. */
function server() {
  const settings = vscode.workspace.getConfiguration("pagequote");
  const corpus = settings.get("corpus");
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  return {
    command: settings.get("command"),
    args: ["lsp", ...(corpus ? ["--corpus", corpus] : [])],
    options: folder ? { cwd: folder } : {},
  };
}

/** Returns what the editor tells the server, and which documents it is asked about. */
function documents() {
  const settings = vscode.workspace.getConfiguration("pagequote");
  return {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
    initializationOptions: { trustedFolders: settings.get("trustedFolders") },
    markdown: { isTrusted: false, supportHtml: false },
  };
}

async function start() {
  await stop();
  const run = server();
  client = new LanguageClient("pagequote", "PageQuote", run, documents());
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const said = `PageQuote: '${run.command}' does not start (${error.message}). Name the program in the settings; this extension does not bring it.`;
    const chosen = await vscode.window.showErrorMessage(said, "Settings");
    if (chosen === "Settings") await vscode.commands.executeCommand("workbench.action.openSettings", "pagequote");
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

/** Called by the editor when a document of one of the languages is opened. */
async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("pagequote.restart", start),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration("pagequote") && start()),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
