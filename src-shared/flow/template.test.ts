import { describe, expect, it } from 'vitest';
import { fillTemplate, fillTemplates, fillText } from './template.ts';

describe('fillTemplate', () => {
  const input = { name: 'Ada', count: 3, rows: [1, { a: 2 }], deep: { inner: 'x' }, none: null };

  it('keeps the type of a field that is the whole template', () => {
    expect(fillTemplate('{rows}', input)).toEqual([1, { a: 2 }]);
    expect(fillTemplate('{count}', input)).toBe(3);
    expect(fillTemplate('{none}', input)).toBeNull();
  });

  it('writes values into longer text, objects as JSON', () => {
    expect(fillTemplate('Hello {name}, {count} new: {rows} {deep.inner} {rows.1.a}', input)).toBe('Hello Ada, 3 new: [1,{"a":2}] x 2');
  });

  it('leaves escaped braces, JSON and secrets alone', () => {
    expect(fillTemplate('{{name}} {"a": 1} {secret:KEY} { name }', input)).toBe('{name} {"a": 1} {secret:KEY} { name }');
  });

  it('fills strings at any depth', () => {
    expect(fillTemplates({ a: ['{count}', { b: '{name}!' }], n: 1 }, input)).toEqual({ a: [3, { b: 'Ada!' }], n: 1 });
  });

  it('names a field that is missing, and looks at own fields only', () => {
    expect(() => fillText('{deep.other}', input)).toThrow(/\{deep\.other\}/);
    expect(() => fillText('{toString}', input)).toThrow(/\{toString\}/);
    expect(() => fillText('{rows.length}', input)).toThrow(/\{rows\.length\}/);
    expect(() => fillText('{a}', 'text')).toThrow(/\{a\}/);
  });
});
