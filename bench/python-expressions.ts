// node bench/python-expressions.ts [ROUNDS]: evaluations a second of Python expressions, in processor time of the thread.
import { evaluatePython, fromJson, parsePython } from '#shared/python/index.ts';

const cases = [
  { text: 'round((price - cost) / price * 100, 2)', inputs: { price: 19.99, cost: 12 } },
  { text: '[p ** 2 for p in prices if p > 1]', inputs: { prices: [1, 2, 3.5, 4, 10] } },
  { text: "f'{price:,.2f} for {name!r}'", inputs: { price: 1234.5, name: 'tea' } },
  { text: "sorted(rows, key=lambda r: -r['n'])[0]['n']", inputs: { rows: [{ n: 1 }, { n: 3 }, { n: 2 }] } },
];
const evaluations = 20_000;
const rounds = Number(process.argv[2] ?? 15);

for (const { text, inputs } of cases) {
  const read = parsePython(text);
  if ('problem' in read) throw new Error(read.problem.message);
  const globals = new Map(Object.entries(inputs).map(([name, value]) => [name, fromJson(value)] as const));
  const perSecond = Array.from({ length: rounds }, () => {
    const before = process.threadCpuUsage();
    for (let index = 0; index < evaluations; index += 1) evaluatePython(read.expression, globals);
    const { user, system } = process.threadCpuUsage(before);
    return (evaluations / (user + system)) * 1_000_000;
  }).sort((a, b) => a - b);
  const median = perSecond[Math.floor(rounds / 2)] ?? 0;
  console.log(`${Math.round(median).toLocaleString('en').padStart(12)} a second, median of ${rounds}: ${text}`);
}
