import { expect, test } from 'vitest';
import { readFlowName } from './flow-name.ts';

const long = 'x'.repeat(100_000);

const flows: readonly (readonly [string, string, string | undefined])[] = [
  ['a.flow.yaml', 'pravah: 1\nname: Tickets\n', 'Tickets'],
  ['a.flow.yaml', `# ${long}\npravah: 1\nname: "Tick: ets" # all\nnodes: []\n`, 'Tick: ets'],
  ['a.flow.yaml', `{ name: Short }`, 'Short'],
  ['a.flow.yaml', `pravah: 1\nschemas: { A: { title: "${long}" } }\n`, undefined],
  ['a.flow.yaml', `${'"'.repeat(200_000)}\nname: [a]\n`, undefined],
  ['a.flow.json', '{"name":"Tickets"}', 'Tickets'],
  ['a.flow.json', `{"schemas":{"name":"no","a":["${long}"]},"input":"name","name" : "Tick\\"ets"}`, 'Tick"ets'],
  ['a.flow.json', `{"schemas":{"name":"no","a":["${long}"]}}`, undefined],
  ['a.flow.json', '"'.repeat(4_000_000), undefined],
];
for (const [index, [path, text, name]] of flows.entries())
  test(`reads ${name ?? 'no name'} from flow ${index} (${path})`, () => expect(readFlowName(text, path)).toBe(name));

test('finds the name of a large flow without reading all of it', () => {
  const merges = Array.from({ length: 20_000 }, (_, index) => `m${index}: &m${index}\n  <<: *m${index - 1}\n`).join('');
  expect(readFlowName(`name: Merged\n${merges}`, 'a.flow.yaml')).toBe('Merged');
});
