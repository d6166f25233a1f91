import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { storeLocation } from '#main/hosts/cli/options/store-location.ts';
import { alignedRows, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { openStore } from '#main/server/open-store.ts';
import { TokenService } from '#main/server/token-service.ts';
import { type Scope, scopeSchema, timeText } from '#shared/contract/server/common.ts';

export interface TokenOptions {
  readonly data?: string;
  readonly json?: boolean;
}

const unitMilliseconds: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };
/** Most tokens that `list` prints. */
const listLimit = 10_000;

/** `pravah token create NAME`: prints a new token once. */
export async function create(
  name: string,
  options: TokenOptions & { readonly scope: readonly string[]; readonly expires?: string },
): Promise<number> {
  const scopes = options.scope.length > 0 ? options.scope.map(readScope) : (['read', 'run'] as const);
  const lasts = options.expires === undefined ? null : readDuration(options.expires);
  return withTokens(options, async (tokens) => {
    const { row, text } = await tokens.create({
      name,
      // Whoever may change something may look at it.
      scopes: [...new Set<Scope>(['read', ...scopes])],
      expires_at: lasts === null ? null : Date.now() + lasts,
    });
    if (options.json) printLine(JSON.stringify({ id: row.id, token: text }));
    else {
      printLine(text);
      printNote(`This token is shown only now. It may: ${row.scopes.join(', ')}.`);
    }
    return exitCodes.success;
  });
}

/** `pravah token list`. */
export function list(options: TokenOptions): Promise<number> {
  return withTokens(options, async (tokens) => {
    const rows = await tokens.list(listLimit, null);
    const forms = rows.map(({ id, name, scopes, created_at, expires_at }) => ({
      id,
      name,
      scopes,
      created_at: timeText(created_at),
      expires_at: expires_at === null ? null : timeText(expires_at),
    }));
    if (options.json) for (const form of forms) printLine(JSON.stringify(form));
    else {
      const expiry = (at: string | null) => (at === null ? '' : `expires ${at}`);
      for (const line of alignedRows(forms.map((form) => [form.id, form.name, form.scopes.join(' '), expiry(form.expires_at)])))
        printLine(line);
      if (forms.length === 0) printNote('There are no tokens.');
    }
    return exitCodes.success;
  });
}

/** `pravah token revoke ID`. Streams of the token end within a second. */
export function revoke(id: string, options: TokenOptions): Promise<number> {
  return withTokens(options, async (tokens) => {
    await tokens.revoke(id);
    printNote(`Token ${id} is revoked.`);
    return exitCodes.success;
  });
}

async function withTokens(options: TokenOptions, act: (tokens: TokenService) => Promise<number>): Promise<number> {
  const store = await openStore(storeLocation(options.data));
  try {
    return await act(new TokenService(store.tokens, Date.now));
  } finally {
    await store.close();
  }
}

function readScope(text: string): Scope {
  const scope = scopeSchema.safeParse(text);
  if (!scope.success) throw new UsageError(`Unknown scope “${text}”. Scopes: ${scopeSchema.options.join(', ')}.`);
  return scope.data;
}

/** Reads `90d` or `12h` as milliseconds. */
function readDuration(text: string): number {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  if (!count || !unit) throw new UsageError(`--expires needs a number of days or hours like 90d or 12h, not “${text}”.`);
  return Number(count) * (unitMilliseconds[unit] ?? 0);
}
