import { createHash } from 'node:crypto';
import { canonicalJson, type Json } from '#shared/json.ts';
import type { CapsuleBody } from './capsule-format.ts';

/** Returns the SHA-256 (hex) of a capsule's content, independent of key order. */
export function integrityOf(body: CapsuleBody): string {
  // Undefined fields are not written to the file.
  const content = JSON.parse(JSON.stringify(body)) as Json;
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
