import { createHash } from 'node:crypto';
import type { CapsuleBody } from '#main/capsule/capsule-format.ts';
import { canonicalJson, type Json } from '#shared/json.ts';

/** SHA-256 (hex) of a capsule's content, whatever the order of its keys. */
export function integrityOf(body: CapsuleBody): string {
  // Fields that are undefined are not there once it is a file.
  const content = JSON.parse(JSON.stringify(body)) as Json;
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
