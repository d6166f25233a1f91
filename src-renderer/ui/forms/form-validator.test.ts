import type { RJSFSchema } from '@rjsf/utils';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '#shared/json.ts';
import { fieldSettings, hasForm } from './field-settings.ts';
import { errorTree, formValidator } from './form-validator.ts';

describe('the validator of forms', () => {
  it('puts each error where the form finds it', () => {
    const schema: RJSFSchema = { type: 'object', required: ['a'], properties: { list: { type: 'array', items: { type: 'number' } } } };
    const { errors, errorSchema } = formValidator.validateFormData({ list: [1, 'x'] }, schema);
    expect(errorSchema).toEqual({ a: { __errors: ['Required'] }, list: { 1: { __errors: ['Must be a number'] } } });
    expect(errors.map(({ stack }) => stack)).toEqual(['a: Required', 'list › 1: Must be a number']);
  });

  it('handles field names of the object prototype', () => {
    const tree = errorTree([{ path: ['__proto__', 'toString'], message: 'Not allowed here' }]);
    expect(Object.keys(tree)).toEqual(['__proto__']);
    expect(({} as { toString: unknown }).toString).toBe(Object.prototype.toString);
  });

  it('finds the matching form of a value, with the definitions of the whole schema', () => {
    const root: RJSFSchema = { $defs: { Id: { type: 'string' } }, oneOf: [] };
    const option: RJSFSchema = { properties: { id: { $ref: '#/$defs/Id' } }, required: ['id'] };
    expect(formValidator.isValid(option, { id: 'x' }, root)).toBe(true);
    expect(formValidator.isValid(option, { id: 1 }, root)).toBe(false);
  });
});

describe('the settings of fields', () => {
  it('give long text a large field and keep a cleared required text', () => {
    const settings = fieldSettings(
      {
        type: 'object',
        required: ['path'],
        properties: { path: { type: 'string' }, content: { type: 'string' }, note: { type: 'string', enum: ['a'] } },
      },
      { path: 'CHANGELOG.md', content: 'a\nb' },
    );
    expect(settings.path).toEqual({ 'ui:emptyValue': '' });
    expect(settings.content).toMatchObject({ 'ui:widget': 'textarea' });
    expect(settings.note).toBeUndefined();
  });

  it('end in recursive schemas', () => {
    const schema: { [key: string]: unknown } = { type: 'object' };
    schema.properties = { again: schema };
    expect(() => fieldSettings(schema as never, {})).not.toThrow();
  });

  it('know which schemas have a form', () => {
    expect(hasForm({ type: 'object', properties: {} })).toBe(true);
    expect(hasForm({ type: 'string' })).toBe(true);
    expect(hasForm({ oneOf: [] })).toBe(true);
    const formless: readonly JsonSchema[] = [true, {}, { type: 'object' }, { type: ['string', 'null'] }, { type: 'null' }];
    for (const schema of formless) expect(hasForm(schema)).toBe(false);
  });
});
