import type { Json } from '#shared/json.ts';
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
    // The agent has written them.
    return { valid: false, schema_errors: (schema_errors ?? []) as unknown as ValidationResult['schema_errors'], ...how };
  }
}
