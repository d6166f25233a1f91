import type { Json } from '#shared/json.ts';

/** Returns the parts of a vendor's answer that its provider stored in `message.vendor`, to send them back unchanged. */
export function echoedParts<Part>(stored: Json | undefined): readonly Part[] {
  // Only the vendor knows their shape, and it validates them again.
  return Array.isArray(stored) ? (stored as unknown as readonly Part[]) : [];
}
