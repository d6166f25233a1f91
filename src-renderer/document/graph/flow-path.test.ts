import { describe, expect, it } from 'vitest';
import { flowPathFrom, flowPathIn } from './flow-path.ts';

describe('paths between flows', () => {
  it.each([
    ['main.flow.yaml', 'inner.flow.yaml', './inner.flow.yaml'],
    ['a/main.flow.yaml', 'a/b/inner.flow.yaml', './b/inner.flow.yaml'],
    ['a/main.flow.yaml', 'inner.flow.yaml', '../inner.flow.yaml'],
    ['a/b/main.flow.yaml', 'c/inner.flow.yaml', '../../c/inner.flow.yaml'],
  ])('names from %s the flow %s as %s, and back', (from, to, named) => {
    expect(flowPathFrom(from, to)).toBe(named);
    expect(flowPathIn(from, named)).toBe(to);
  });

  it('does not leave the workspace', () => {
    expect(flowPathIn('main.flow.yaml', '../inner.flow.yaml')).toBeNull();
  });
});
