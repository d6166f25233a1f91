import {
  type CustomValidator,
  createErrorHandler,
  type ErrorSchema,
  type ErrorTransformer,
  type RJSFSchema,
  type RJSFValidationError,
  type UiSchema,
  unwrapErrorHandler,
  type ValidatorType,
  validationDataMerge,
} from '@rjsf/utils';
import type { Json, JsonSchema } from '#shared/json.ts';
import { type FieldFault, faultsOf } from './field-faults.ts';

/** Unknown to rjsf's types, whose recursion over JSON never ends. */
type FormData = unknown;

/** Errors as the tree in which a form finds those of its fields. */
export function errorTree(faults: readonly FieldFault[]): ErrorSchema<FormData> {
  const root: Record<string, unknown> & { __errors?: string[] } = {};
  for (const { path, message } of faults) {
    let place = root;
    for (const segment of path) {
      if (!Object.hasOwn(place, segment))
        Object.defineProperty(place, segment, { value: {}, enumerable: true, configurable: true, writable: true });
      place = place[segment] as typeof root;
    }
    place.__errors = [...(place.__errors ?? []), message];
  }
  return root as ErrorSchema<FormData>;
}

function errorOf({ path, message }: FieldFault): RJSFValidationError {
  const property = path.map((segment) => (/^\d+$/.test(segment) ? `[${segment}]` : `.${segment}`)).join('');
  return { property, message, stack: `${path.join(' › ') || 'Value'}: ${message}` };
}

/** A part of a schema with the definitions of the whole, so that its local references still resolve. */
function withDefinitions(schema: RJSFSchema, root: RJSFSchema): JsonSchema {
  if (schema === root) return schema as JsonSchema;
  const { $defs, definitions } = root;
  return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema } as JsonSchema;
}

/** Validates forms by interpreting their schema, as the page's policy allows no compiled code. The engine checks again and decides. */
export const formValidator: ValidatorType<FormData, RJSFSchema> = {
  validateFormData(
    formData: FormData,
    schema: RJSFSchema,
    customValidate?: CustomValidator<FormData, RJSFSchema>,
    transformErrors?: ErrorTransformer<FormData, RJSFSchema>,
    uiSchema?: UiSchema<FormData, RJSFSchema>,
  ) {
    const faults = faultsOf(schema as JsonSchema, formData as Json | undefined);
    const found = faults.map(errorOf);
    const result = { errors: transformErrors?.(found, uiSchema) ?? found, errorSchema: errorTree(faults) };
    if (!customValidate) return result;
    const custom = customValidate(formData, createErrorHandler<FormData>(formData), uiSchema);
    return validationDataMerge<FormData>(result, unwrapErrorHandler<FormData>(custom));
  },
  isValid: (schema, formData, rootSchema) => faultsOf(withDefinitions(schema, rootSchema), formData as Json | undefined).length === 0,
  rawValidation: <Result>(schema: RJSFSchema, formData?: FormData) => ({
    errors: faultsOf(schema as JsonSchema, formData as Json | undefined).map(errorOf) as Result[],
  }),
};
