import type { TransferableError } from '#shared/run/error.ts';
import type { FieldFault } from './field-faults.ts';

/** The invalid field of an input, if the engine's error names it (`details.path` is a JSON Pointer). */
export function inputFaults({ variant, details, message }: TransferableError): readonly FieldFault[] {
  if (variant !== 'DeserializeError' || typeof details?.path !== 'string') return [];
  const path = details.path
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
  return [{ path, message }];
}
