import { expect, it } from 'vitest';
import { readYaml } from './read-yaml.ts';

const valueIn = (text: string) => {
  const reading = readYaml(text);
  return reading.ok ? reading.root.value : reading.faults;
};

it('resolves each alias to the anchor before it, also where an anchor is used again', () => {
  expect(valueIn('a: &x 1\nb: *x\nc: &y { k: *x }\nd: &x 2\ne: *x\nf: *y\n&z g: *z\n')).toEqual({
    a: 1,
    b: 1,
    c: { k: 1 },
    d: 2,
    e: 2,
    f: { k: 1 },
    g: 'g',
  });
});

it('reports the first fault only, with its position', () => {
  expect(valueIn('a: 1\nb: ]\n]]]]\n')).toEqual([{ message: 'unexpected flow-seq-end token in YAML stream', path: '', position: 8 }]);
  expect(valueIn('a: "x" "y" "z"')).toEqual([{ message: expect.any(String), path: '', position: 7 }]);
});

it('takes "<<" in quotes as an ordinary key', () => {
  expect(valueIn('"<<": 1')).toEqual({ '<<': 1 });
});
