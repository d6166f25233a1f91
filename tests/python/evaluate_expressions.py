"""Evaluates expressions as PyFlow's expr agent does: JSON objects {expression, inputs?} a line, printed with what they gave.

The result is `value` with `text` (the agent's event), `str` (of the value after it was JSON) and `floats` (JSON Pointers of whole floats),
or `error`, `fails` (no JSON), or `refused`. `ours` marks values that a state of ours does not hold.
"""

import ast
import json
import signal
import sys
import warnings

FORBIDDEN_NAMES = set("__import__ compile delattr getattr globals locals setattr vars breakpoint input memoryview type __builtins__ __loader__ __spec__".split())
FORBIDDEN_CALLS = set("eval exec open execfile __import__ compile breakpoint input getattr setattr delattr globals locals vars".split())
FUNCTIONS = [abs, all, any, bool, float, int, len, max, min, round, sorted, str, sum, tuple, list]
BUILTINS = {"True": True, "False": False, "None": None, **{function.__name__: function for function in FUNCTIONS}}


def check(expression):
    for node in ast.walk(ast.parse(expression, mode="eval")):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", None) or getattr(node.func, "attr", None)
            if name in FORBIDDEN_CALLS:
                raise ValueError(f"Call to '{name}' is not allowed")
        if isinstance(node, ast.Name) and node.id in FORBIDDEN_NAMES:
            raise ValueError(f"Access to '{node.id}' is not allowed")
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            raise ValueError(f"Access to '{node.attr}' is not allowed")


def is_beyond(value):
    if value is None or isinstance(value, (bool, str)):
        return False
    if isinstance(value, int):
        return abs(value) > 2**53 - 1
    if isinstance(value, float):
        return value != value or abs(value) == float("inf")
    return any(is_beyond(item) for item in (value.values() if isinstance(value, dict) else value))


def whole_floats(value, at=""):
    if isinstance(value, float):
        return [at] if value.is_integer() else []
    if isinstance(value, dict):
        return [pointer for key, item in value.items() for pointer in whole_floats(item, f"{at}/{key.replace('~', '~0').replace('/', '~1')}")]
    if isinstance(value, list):
        return [pointer for index, item in enumerate(value) for pointer in whole_floats(item, f"{at}/{index}")]
    return []


def evaluate(expression, inputs):
    try:
        check(expression)
    except (SyntaxError, ValueError) as error:
        return {"refused": str(error)}
    try:
        names = {name: eval(text) for name, text in inputs.items()}
        result = eval(expression, {"__builtins__": BUILTINS, **names})
    except Exception as error:
        return {"error": str(error)}
    try:
        text = result if isinstance(result, str) else json.dumps(result)
        value = json.loads(json.dumps(result))
    except Exception as error:
        return {"fails": str(error)}
    if is_beyond(value) or " at 0x" in text:
        return {"ours": "no value"}
    floats = whole_floats(value)
    return {"value": value, "text": text, "str": str(value), **({"floats": floats} if floats else {})}


class TooSlow(BaseException):
    pass


def stop(*_):
    raise TooSlow


def main():
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, stop)
    for line in sys.stdin:
        row = json.loads(line)
        try:
            signal.setitimer(signal.ITIMER_REAL, 2)
            row.update(evaluate(row["expression"], row.get("inputs", {})))
            signal.setitimer(signal.ITIMER_REAL, 0)
        except (TooSlow, MemoryError):
            signal.setitimer(signal.ITIMER_REAL, 0)
            continue
        print(json.dumps(row))


if __name__ == "__main__":
    main()
