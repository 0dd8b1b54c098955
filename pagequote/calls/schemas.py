"""JSON Schema of arguments and replies, from the annotations that check them."""

from typing import Annotated, Any, Literal, get_args, get_origin

from pagequote.calls.arguments import UNIONS, Argument, fields_of, is_record
from pagequote.calls.table import About

Schema = dict[str, Any]

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_BOUNDS = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "array": ("minItems", "maxItems"),
}


def schema_of(annotation: Any, *, closed: bool = False) -> Schema:
    """Return the schema of a value. Dataclasses are inlined, since some clients do not follow references.

    `closed` is for arguments, open for replies: see `object_schema`.
    """
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated and parts[1].items:
        each = [schema_of(kind, closed=closed) for kind in parts[1].items]
        listed = {"type": "array", "items": {"anyOf": each} if len(each) > 1 else each[0]}
        return _described(listed, parts[1])
    if origin is Annotated:
        return _described(schema_of(parts[0], closed=closed), parts[1])
    if origin in UNIONS:
        return {"anyOf": [schema_of(part, closed=closed) for part in parts]}
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin is tuple:
        found = {"type": "array", "items": schema_of(parts[0], closed=closed)}
        return found if parts[-1] is Ellipsis else {**found, "minItems": len(parts), "maxItems": len(parts)}
    if is_record(annotation):
        return object_schema(fields_of(annotation), closed=closed)
    return {"type": _TYPES[annotation]}


def object_schema(arguments: tuple[Argument, ...], *, closed: bool) -> Schema:
    """Return the schema of an object with these fields.

    `closed` is for arguments: no other fields, and those with a default may be missing. Open is for replies:
    all fields, and those that a later version adds.
    """
    properties = {}
    for one in arguments:
        properties[one.name] = schema_of(one.annotation, closed=closed)
        if closed and not one.required:
            default = list(one.default) if isinstance(one.default, tuple) else one.default
            properties[one.name]["default"] = default
    required = [one.name for one in arguments if one.required or not closed]
    found: Schema = {"type": "object", "properties": properties}
    if required:
        found["required"] = required
    return found | {"additionalProperties": False} if closed else found


def _described(schema: Schema, about: About) -> Schema:
    described = {**schema, "description": about.description} if about.description else {**schema}
    if names := _BOUNDS.get(schema.get("type", "")):
        bounds = zip(names, (about.least, about.most), strict=True)
        described |= {name: bound for name, bound in bounds if bound is not None}
    return described
