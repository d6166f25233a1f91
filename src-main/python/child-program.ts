/**
 * The program of the Python process. Requests come as lines of JSON on its standard input, answers leave on its original standard output, which is put
 * aside before any code of the user is loaded: descriptor 1 then leads to 2, so that `print` is a log line and never an answer.
 */
export const childProgram = `
import asyncio, importlib, inspect, json, os, sys, traceback
answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\\n")
os.dup2(2, 1)
sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
sys.stderr.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
sys.path.insert(0, sys.argv[1])
LARGEST = 2 ** 53 - 1


def answer(message):
    answers.write(json.dumps(message, ensure_ascii=True) + "\\n")
    answers.flush()


def load(path):
    module, _, name = path.rpartition(".")
    if not module:
        raise ImportError(f"Invalid function path: '{path}' (no module component)")
    loaded = importlib.import_module(module)
    if not hasattr(loaded, name):
        raise ImportError(f"Function '{name}' not found in module '{module}'")
    if not callable(getattr(loaded, name)):
        raise ImportError(f"'{path}' is not callable")
    return getattr(loaded, name)


def check(value):
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST:
        raise ValueError("an integer beyond 2^53 - 1 cannot be stored in a state")
    if isinstance(value, dict):
        for item in value.values():
            check(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            check(item)


def call(request):
    try:
        function = load(request["name"])
        result = function(**request["kwargs"])
        if inspect.iscoroutinefunction(function):
            result = asyncio.run(result)
    except (Exception, SystemExit) as error:
        return {"error": str(error), "type": type(error).__name__, "traceback": traceback.format_exc()[-4000:]}
    try:
        check(result)
        return {"json": json.dumps(result, allow_nan=False)}
    except (TypeError, ValueError, RecursionError) as error:
        return {"unserializable": str(error)}


for line in sys.stdin:
    request = json.loads(line)
    answer({"id": request["id"], **call(request)})
`;
