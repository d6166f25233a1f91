import type { SourceFault } from './source-fault.ts';

/** JavaScript, with blanks where types were: every character is at its own line and column. Or why the types cannot be stripped. */
export type StrippedTypes = { readonly ok: true; readonly code: string } | { readonly ok: false; readonly fault: SourceFault };

/** Strips the types from TypeScript, within a bounded time. Never throws. */
export type StripTypes = (source: string) => StrippedTypes;
