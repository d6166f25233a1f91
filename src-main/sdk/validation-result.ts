import { isJsonObject, type Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent, ValidationResult } from '#shared/run/event.ts';

/** Collects from an agent's events how its output was validated. */
export class ValidationCollector {
  #checks: ValidationResult['checks'] = [];
  #attempts = 1;

  take(event: RunEvent): void {
    if (event.type === 'validation') this.#checks = event.checks;
    if (event.type === 'lifecycle' && event.node !== undefined && event.to === 'EXECUTE') this.#attempts += 1;
  }

  /** The result for an output; null where there is no output that could be validated. `repaired`: its text was not the JSON itself. */
  result(output: Json | null, error: TransferableError | null, repaired?: boolean): ValidationResult | null {
    const how = { attempts: this.#attempts, checks: this.#checks };
    if (output !== null) return { valid: true, schema_errors: [], ...(repaired !== undefined && { repaired }), ...how };
    const { schema_errors, rejected } = error?.details ?? {};
    if (rejected === undefined) return null;
    const errors = Array.isArray(schema_errors) ? schema_errors.filter(isJsonObject) : [];
    const schemaErrors = errors.map(({ path, keyword, message }) => ({
      path: String(path),
      keyword: String(keyword),
      message: String(message),
    }));
    return { valid: false, schema_errors: schemaErrors, ...how };
  }
}
