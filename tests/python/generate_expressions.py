"""Prints random Python expressions, one JSON object {expression, inputs?} a line: generate_expressions.py SEED COUNT."""

import itertools
import json
import random
import struct
import sys

choose = random.choice

VALUES = """0|1|-1|7|-3|True|False|None|2.5|-2.5|0.0|-0.0|1e308|5e-324|0.1|3.0|10**20|2**53+1|float('inf')|float('nan')|'a'|''|'ab'|
'é😀'|[]|[1]|[1,'a']|()|(1,2)|{}|{'a':1}|{1:2}|{1,2}|{'x'}|b'a'|1j|len|str|lambda: 1|...|{}.keys()|{'a':1}.items()|{'a':1}.values()|
(x for x in [1])|'%s'|100|1e16|123456789.123""".replace("\n", "").split("|")

RECEIVERS = {
    str: ["'abc'", "''", "'  a b  '", "'Häß x1'", "'aXbXc'", "'ΑΣ ς ǆx ﬁ'"],
    list: ["[]", "[3,1,2]", "[1,'a',None]"],
    tuple: ["()", "(1,2,1)"],
    dict: ["{}", "{'a':1,'b':2}"],
    set: ["{1,2,3}", "{5}"],
    int: ["(0)", "(-7)", "(1234567890123456789012)"],
    float: ["(1.5)", "(-0.0)", "(1e300)"],
    bool: ["True"],
}

ARGUMENTS = """'a'|''|'X'|1|-1|0|2|None|True|1.5|[1]|(1,)|('a','b')|{}|{'a':1}|['x','y']|'b '|[('k',1)]|{1,9}|10**20|-2|5""".split("|")

INPUTS = {
    "a": "3", "b": "-2.5", "s": "'Hello, World'", "t": "''", "xs": "[3, 1, 2, 5]", "ys": "[1.5, 2, 'x', None]", "n": "None", "f": "True",
    "d": "{'k': 1, 'm': [1, 2], 'n': {'z': 'q'}}", "price": "19.99", "words": "['apple', 'Bob', 'cat', 'apple']",
    "rows": "[{'id': 1, 'p': 2.5, 't': 'a'}, {'id': 2, 'p': 10, 't': 'b'}, {'id': 3, 'p': 0.1, 't': 'a'}]",
}  # fmt: skip


def method():
    """A method of a built-in type with random arguments; changes of the receiver show."""
    kind = choose(list(RECEIVERS))
    name = choose([name for name in dir(kind) if not name.startswith("__")])
    receiver = choose(RECEIVERS[kind])
    arguments = choose(["", "x=1", "'a', key=1", *[", ".join(choose(ARGUMENTS) for _ in range(choose([1, 1, 1, 2, 2, 3]))) for _ in range(9)]])
    if kind in (list, dict, set):
        return f"[(x := {receiver}), x.{name}({arguments}), x][1:]"
    return choose([f"{receiver}.{name}({arguments})", f"{kind.__name__}.{name}({receiver}, {arguments})"])


def operation():
    """An operator, a function or a subscript with random values."""
    a, b, c = choose(VALUES), choose(VALUES), choose(VALUES)
    operator = choose("+ - * / // % ** @ & | ^ << >> < <= > >= == != in is and or".split() + ["not in"])
    function = choose("abs all any bool float int len max min round sorted str sum tuple list".split())
    slices = ":".join(choose(["", "0", "1", "-1", "2", "-5", "None", "10**20"]) for _ in range(choose([2, 3])))
    return choose([
        f"({a}) {operator} ({b})", f"str(({a}) {operator} ({b}))", f"{choose(['-', '+', '~', 'not '])}({a})", f"{function}({a})",
        f"{function}({a}, {b})", f"str({function}({a}))", f"{function}({a}, key={choose(['str', 'len', 'None', 'lambda q: q'])})",
        f"({a})[{b}]", f"({a})[{slices}]", f"[*({a})]", f"{{**({a})}}", f"[x for x, *y in [({a})]]", f"{{({a}): 1}}", f"({a}) < ({b}) == ({c})",
        f"{choose(['sorted', 'max', 'min', 'sum'])}([{a}, {b}, {c}])",
    ])  # fmt: skip


def float_text():
    bits = struct.unpack("<d", struct.pack("<Q", random.getrandbits(63)))[0]
    return choose([
        repr(round(random.uniform(-1000, 1000), random.randint(0, 4))), repr(random.randint(-100, 100) / choose([2, 4, 8, 10, 16, 100, 1000])),
        repr(bits) if abs(bits) < 1e308 else "1.5", repr(random.randint(0, 10 ** random.randint(1, 20)) * 10.0 ** random.randint(-20, 5)),
        choose(["0.0", "-0.0", "1e16", "9007199254740993.0", "0.5", "2.5", "1e-5", "0.0001", "5e-324", "1.7976931348623157e308", "2.675"]),
    ])  # fmt: skip


def integer_text():
    return str(choose([random.randint(-50, 1000), random.randint(-(10**12), 10**12), random.randint(-(10**40), 10**40)]))


def number():
    """Arithmetic, rounding, sums and conversions. Powers of floats are left out: C libraries differ in their last bit."""
    one, two = (choose([float_text, integer_text])() for _ in range(2))
    many = ", ".join(choose([float_text, integer_text])() for _ in range(random.randint(1, 80)))
    return choose([
        f"str(({one}) {choose(['+', '-', '*', '/', '//', '%', '<', '=='])} ({two}))", f"str(round({one}, {random.randint(-4, 6)}))",
        f"str(round({one}))", f"str(sum([{many}]))", f"str({one})", f"str(int({one}))", f"str(float({one}))", f"sorted([{many}])",
        f"str(({integer_text()}) {choose(['&', '|', '^'])} ({integer_text()}))", f"str(({integer_text()}) >> {random.randint(0, 90)})",
        f"({float_text()}).as_integer_ratio()[0] % 97", f"({float_text()}).hex()", f"str(({integer_text()}) ** {random.randint(-2, 9)})",
        f"str([x for x in {{{', '.join(str(random.randint(-40, 40)) for _ in range(random.randint(1, 20)))}}}])",
    ])  # fmt: skip


FORMATTED = """0|7|-42|1234567|10**25|True|0.0|-0.0|1.5|-2.675|1234567.891|1e16|1.5e-7|123456789012345678.0|1e300|float('inf')|'abc'|'é😀x'|''|
None|[1,'a']|0.5|99999.5|9.995|5e-324""".replace("\n", "").split("|")


def optional(share, options):
    return choose(options) if random.random() < share else ""


def format_spec():
    fill = optional(0.2, ["*", "0", " ", "é", "x"])
    align = choose("<>=^") if fill else optional(0.3, "<>=^")
    width = optional(0.5, ["1", "5", "10", "20", "07"])
    precision = optional(0.4, [".0", ".1", ".2", ".3", ".6", ".17", "."])
    return fill + align + optional(0.2, "+- ") + optional(0.05, "z") + optional(0.15, "#") + width + optional(0.2, ",_") + precision + optional(0.7, "bcdeEfFgGnosxX%q")


def percent_spec():
    flags = "".join(choose("-+ #0") for _ in range(choose([0, 0, 1, 2])))
    width = optional(0.4, ["5", "10", "*"])
    return "%" + optional(0.1, ["(a)", "(b)", "("]) + flags + width + optional(0.4, [".0", ".2", ".5", ".*", "."]) + choose("sdriaouxXeEfFgGc%y")


FIELDS = """{}|{0}|{1}|{a}|{a[0]}|{0[a]}|{0[1]}|{!r}|{!a}|{!x}|{:>5}|{0:>{1}}|{a!r:^10}|{{|}}|{|}|x|{0!r|{:{}}|{0[}|{!}|{a:{b}}|{0[0][1]}|{:{:{}}}|{0]}|{a{b}}""".split("|")


def formatting():
    """f-strings, `%` and `str.format`."""
    value = choose(FORMATTED)
    kind = random.randrange(3)
    if kind == 0:
        spec = format_spec()
        return {"expression": choose([f"f'{{v:{spec}}}'", f"f'{{v!r:{spec}}}'", "'{0:{1}}'.format(v, s)", f"f'{{v=:{spec}}}'"]), "inputs": {"v": value, "s": repr(spec)}}
    if kind == 1:
        given = choose([value, f"({value}, {choose(FORMATTED)})", f"({value},)", f"(3, {value})", f"{{'a': {value}, 'b': 1}}"])
        return {"expression": "s % v", "inputs": {"v": given, "s": repr(choose(["", "é"]) + percent_spec() + choose(["", " b", percent_spec()]))}}
    template = "".join(choose(FIELDS) for _ in range(choose([1, 1, 2, 3])))
    given = choose(["", "1", "'x'", "[1,2],3", "{'a':7}", "[[1,2],[3,4]]", "1.5, 'q', 3", "a=1", "2, a=[5,6], b=7"])
    return {"expression": f"s.format({given})", "inputs": {"s": repr(template)}}


def atom(names, depth):
    return choose([
        choose(names), choose(names), choose(names), choose("0 1 2 3 10 7 100 1_000 0xff 2.5 0.1 1e3 .5 3. True False None".split()),
        choose(["'a'", "'abc'", "''", "'x,y'", '"it\'s"', "'\\n'", "'é'", "r'\\d'", "'%s'", "'10'", "'😀b'"]),
        f"[{', '.join(tree(names, depth - 1) for _ in range(random.randint(0, 3)))}]", f"({tree(names, depth - 1)}, {tree(names, depth - 1)})",
        f"{{{choose(['1', 'a', repr('k')])}: {tree(names, depth - 1)}}}", f"({tree(names, depth - 1)})",
    ] if depth > 0 else [choose(names), "1", "'a'", "2.5", "None"])  # fmt: skip


def comprehension(names, depth):
    target, inner = choose([("x", ["x"]), ("k, v", ["k", "v"]), ("x, *y", ["x", "y"]), ("i", ["i"])])
    iterable = "d.items()" if target == "k, v" else choose(["xs", "rows", "words", "d", "s", "ys", tree(names, depth - 1)])
    tail = f" for {target} in {iterable}"
    if random.random() < 0.3:
        tail += f" if {tree(names + inner, depth - 1)}"
    if random.random() < 0.15:
        tail += f" for w in {choose(['xs', 'words', '[i, 1]'])}"
    element = tree(names + inner, depth - 1)
    function = choose("sum list tuple any all max min sorted len".split())
    return choose([f"[{element}{tail}]", f"{{{inner[0]}: {element}{tail}}}", f"len({{{inner[0]}{tail}}})", f"{function}({element}{tail})"])


CALLS = """s.upper()|s.split()|s.split(',')|s.find('o')|s.replace('l', 'L')|s.startswith('He')|d.get('k')|d.get('zz', 5)|d.values()|d.items()|xs.count(1)|
xs.index(2)|', '.join(words)|s.title()|s.partition(', ')|str.upper(s)|s.center(20, '*')|xs.pop()|xs.append(4)|d.update({'a': 1})|d.pop('k')|xs.sort()|
xs.insert(0, 9)|s.rsplit('o', 1)|s[::-1]|s.swapcase()|words[-1].casefold()""".replace("\n", "").split("|")


def call(names, depth):
    function = choose("abs all any bool float int len max min round sorted str sum tuple list".split())
    arguments = ", ".join(tree(names, depth - 1) for _ in range(choose([1, 1, 1, 2])))
    return choose([choose(CALLS), f"{function}({arguments}{choose(['', '', ', key=len', ', reverse=True', ', default=0', ', key=str'])})"])


def tree(names, depth):
    """A random expression over the inputs."""
    if depth <= 0:
        return atom(names, 0)
    sub = lambda: tree(names, depth - 1)
    lambda_head = choose(["x", "x, y=2", "*x", "x=1", "**x", "x, /, y=1", "*, x=3"])
    return choose([
        lambda: atom(names, depth), lambda: atom(names, depth), lambda: call(names, depth), lambda: call(names, depth),
        lambda: comprehension(names, depth), lambda: f"{sub()} {choose('+ - * / // % < > == != <= >= & | ^'.split())} {sub()}",
        lambda: f"{sub()} {choose(['and', 'or', 'in', 'not in'])} {sub()}", lambda: f"{choose(['not ', '-', '+', '~'])}{sub()}",
        lambda: f"{sub()} if {sub()} else {sub()}", lambda: f"{choose(['xs', 's', 'd', 'rows', 'words'])}[{choose(['0', '-1', '::2', '1:', '::-1', repr('k'), sub()])}]",
        lambda: choose([f"f'{{{choose(names)}!r:>8}}'", f"f'{{{choose(names)}=}}'", "f'{price:,.1f} {s[:3]!r:^9}'", f"'%s' % ({sub()},)"]),
        lambda: f"({choose(['w', 'q', 'a'])} := {sub()})", lambda: f"(lambda {lambda_head}: {tree(names + ['x'], depth - 1)})({choose(['', sub(), '1, 2', 'x=1', '*xs', '**d'])})",
        lambda: f"{choose(names)} is {choose(['None', 'not None', 'True'])}", lambda: f"{sub()} {choose(['<', '<=', '=='])} {sub()} {choose(['<', '!=', 'in'])} {sub()}",
    ])()  # fmt: skip


def row():
    make = choose([method, operation, number, formatting, None, None])
    if make is None:
        return {"expression": tree(list(INPUTS), random.randint(1, 4)), "inputs": INPUTS}
    made = make()
    return made if isinstance(made, dict) else {"expression": made}


if __name__ == "__main__":
    random.seed(int(sys.argv[1]))
    for _ in itertools.repeat(None, int(sys.argv[2])):
        one = row()
        if len(one["expression"]) < 400:
            print(json.dumps(one))
