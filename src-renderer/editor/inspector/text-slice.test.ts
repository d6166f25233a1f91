import { describe, expect, it } from 'vitest';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { sliceOf, withSlice } from './text-slice.ts';

const yaml = `pravah: 1
nodes:
  # the first
  - kind: work # works
    from: A
    run: |
      (a) => ({
        b: a.b
      })
    to: B
  - kind: work
    from: B
    to: C
output: C
`;

describe('sliceOf and withSlice', () => {
  it('contains its lines of the file without indentation, including comments', () => {
    const flow = parseFlow(yaml, 'a.flow.yaml');
    expect(sliceOf(flow, ['nodes', 0])).toBe('kind: work # works\nfrom: A\nrun: |\n  (a) => ({\n    b: a.b\n  })\nto: B');
  });

  it('is written back without changing a byte', () => {
    const flow = parseFlow(yaml, 'a.flow.yaml');
    for (const index of [0, 1]) expect(withSlice(flow, ['nodes', index], sliceOf(flow, ['nodes', index]) ?? '')).toBe(yaml);
    const json = '{\n  "nodes": [\n    {\n      "kind": "work",\n      "from": "A"\n    }\n  ]\n}\n';
    const other = parseFlow(json, 'a.flow.json');
    expect(sliceOf(other, ['nodes', 0])).toBe('{\n  "kind": "work",\n  "from": "A"\n}');
    expect(withSlice(other, ['nodes', 0], sliceOf(other, ['nodes', 0]) ?? '')).toBe(json);
  });

  it('replaces only the lines of its node', () => {
    const flow = parseFlow(yaml, 'a.flow.yaml');
    const changed = withSlice(flow, ['nodes', 1], 'kind: work\ntitle: Last\nfrom: B\nto: C') ?? '';
    expect(changed).toBe(yaml.replace('  - kind: work\n    from: B', '  - kind: work\n    title: Last\n    from: B'));
  });
});
