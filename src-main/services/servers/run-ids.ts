import { serverOf } from '#shared/contract/servers.ts';

/** Fields of calls and answers that name a run, or hold what names one. */
const idFields: ReadonlySet<string> = new Set(['run_id', 'other_run_id']);
const originFields: ReadonlySet<string> = new Set(['forked_from']);

/** What a server answers, with its runs' ids as they are here (`NAME/run_id`). Values of runs are left as they are. */
export function withServer<Answer>(server: string, answer: Answer): Answer {
  return renamed(answer, (id) => `${server}/${id}`) as Answer;
}

/** The input of a call as the server has it, and which server that is; null for a call about runs of the open folder. `server` is empty if the runs are in several places. */
export function serverOfCall(input: unknown): { readonly server: string; readonly input: unknown } | null {
  const servers = idsIn(input).map(serverOf);
  const [server = null] = servers;
  if (servers.some((other) => other !== server)) return { server: '', input };
  if (server === null) return null;
  return { server, input: renamed(input, (id) => id.slice(server.length + 1)) };
}

function idsIn(input: unknown): string[] {
  if (!isObject(input)) return [];
  return Object.entries(input).flatMap(([name, value]) => (idFields.has(name) && typeof value === 'string' ? [value] : []));
}

function renamed(value: unknown, rename: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (idFields.has(name) && typeof field === 'string') return [name, rename(field)];
      return [name, originFields.has(name) ? renamed(field, rename) : field];
    }),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
