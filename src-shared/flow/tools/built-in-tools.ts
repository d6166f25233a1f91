import type { JsonObject } from '#shared/json.ts';
import { type CapabilityScope, commands, hosts, literal, reads, writes } from './call-reach.ts';
import type { Reach } from './reach.ts';
import { anyHost, hostOf } from './url-host.ts';

/** What a built-in tool is for: its heading in the tool browser. */
export type ToolSubject = 'files' | 'programs' | 'web' | 'data' | 'people' | 'memory';

/**
 * What the checks, the engine and the page know of a built-in tool without loading its code. The implementation (`src-main/tools`) takes
 * its effect and approval from here.
 */
export interface ToolFacts {
  readonly subject: ToolSubject;
  /** Side effects: `none` (pure), `read`, or `write`. */
  readonly effect: 'none' | 'read' | 'write';
  /** Whether an agent's call needs the user's approval, unless the author sets otherwise. */
  readonly approve: 'always' | 'never';
  /** Whether a call may ask the user. */
  readonly asks: boolean;
  /** Whether results contain text that other people wrote, which may try to instruct a model. */
  readonly untrusted: boolean;
  /** Whether it works on the working folder, so that a program must name one. */
  readonly folder: boolean;
  /** What a call can reach besides the tool itself. `nothing`: it stays inside the run, so that it needs no consent. */
  readonly reach: 'nothing' | CallReach;
}

/** `input` is what the author wrote for the call (templates unfilled); null if an agent or code decides it. */
type CallReach = (input: JsonObject | null, scope: CapabilityScope) => readonly Reach[];

const readsPath: CallReach = (input) => [reads(literal(input, 'path'))];
const writesPath: CallReach = (input, scope) => writes(literal(input, 'path'), scope);

const storesPath: CallReach = (input, scope) => {
  const path = literal(input, 'path');
  const action = literal(input, 'action') ?? (input && !('action' in input) ? 'read' : null);
  return [...(action === 'read' ? [] : writes(path, scope)), ...(action === 'write' ? [] : [reads(path)])];
};

/** The host of the address in a field. */
function hostIn(field: string): CallReach {
  return (input, scope) => hosts(input ? hostOf(input[field], scope.readHost) : anyHost, scope);
}

const ynabApi: CallReach = (_input, { endpoints, readHost }) => [
  { kind: 'host', name: (endpoints?.ynab && readHost(endpoints.ynab)) || 'api.ynab.com', harmless: false },
  { kind: 'secret', name: 'YNAB_API_TOKEN', note: 'sent only to the hosts that it was entered for', harmless: false },
];

/** Consent to the tool covers everything that it does. */
const onlyItself: CallReach = () => [];

/** A row for each built-in tool, in the order in which tools are listed. */
const rows = {
  read_file: { subject: 'files', effect: 'read', approve: 'never', asks: false, untrusted: false, folder: true, reach: readsPath },
  write_file: { subject: 'files', effect: 'write', approve: 'never', asks: false, untrusted: false, folder: true, reach: writesPath },
  edit_file: { subject: 'files', effect: 'write', approve: 'never', asks: false, untrusted: false, folder: true, reach: writesPath },
  list_files: { subject: 'files', effect: 'read', approve: 'never', asks: false, untrusted: false, folder: true, reach: readsPath },
  search_files: { subject: 'files', effect: 'read', approve: 'never', asks: false, untrusted: false, folder: true, reach: readsPath },
  run_command: { subject: 'programs', effect: 'write', approve: 'always', asks: false, untrusted: false, folder: true, reach: commands },
  ask_user: { subject: 'people', effect: 'none', approve: 'never', asks: true, untrusted: false, folder: false, reach: 'nothing' },
  storage: { subject: 'files', effect: 'write', approve: 'never', asks: false, untrusted: false, folder: true, reach: storesPath },
  transform: { subject: 'data', effect: 'none', approve: 'never', asks: false, untrusted: false, folder: false, reach: 'nothing' },
  condition: { subject: 'data', effect: 'none', approve: 'never', asks: false, untrusted: false, folder: false, reach: 'nothing' },
  http_request: { subject: 'web', effect: 'write', approve: 'never', asks: false, untrusted: true, folder: false, reach: hostIn('url') },
  alert: { subject: 'web', effect: 'write', approve: 'never', asks: false, untrusted: false, folder: false, reach: hostIn('webhook_url') },
  scrape_url: { subject: 'web', effect: 'read', approve: 'never', asks: false, untrusted: true, folder: false, reach: hostIn('url') },
  ynab: { subject: 'web', effect: 'write', approve: 'never', asks: false, untrusted: true, folder: false, reach: ynabApi },
  load_memory: { subject: 'memory', effect: 'read', approve: 'never', asks: false, untrusted: false, folder: true, reach: onlyItself },
  preload_memory: { subject: 'memory', effect: 'read', approve: 'never', asks: false, untrusted: false, folder: true, reach: onlyItself },
  save_memory: { subject: 'memory', effect: 'write', approve: 'never', asks: false, untrusted: false, folder: true, reach: onlyItself },
  load_artifacts: { subject: 'memory', effect: 'read', approve: 'never', asks: false, untrusted: false, folder: true, reach: onlyItself },
  save_artifact: { subject: 'memory', effect: 'write', approve: 'never', asks: false, untrusted: false, folder: true, reach: onlyItself },
  exit_loop: { subject: 'data', effect: 'none', approve: 'never', asks: false, untrusted: false, folder: false, reach: 'nothing' },
} satisfies Readonly<Record<string, ToolFacts>>;

export type BuiltInToolName = keyof typeof rows;

export const builtInToolFacts: Readonly<Record<BuiltInToolName, ToolFacts>> = rows;

/** The names of the built-in tools, as opposed to those of a server, a flow or a file. */
export const toolNames: ReadonlySet<string> = new Set(Object.keys(rows));

/** The facts of a built-in tool; undefined for any other. */
export function toolFacts(name: string): ToolFacts | undefined {
  return Object.hasOwn(rows, name) ? rows[name as BuiltInToolName] : undefined;
}
