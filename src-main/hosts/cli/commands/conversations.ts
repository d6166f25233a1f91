import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { exitCodes, UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { alignedRows, countOf, printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { conversationExport, fineTuningLine } from '#main/journal/conversation-export.ts';
import { JournalConversations } from '#main/journal/journal-conversations.ts';
import { closeJournals, openExistingJournals, openWorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { messageText } from '#main/models/message-text.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import { maskTexts } from '#shared/mask-text.ts';
import type { ConversationSummary } from '#shared/run/conversation-summary.ts';
import { type ConversationEntry, entrySchema, messageSchema } from '#shared/run/message.ts';

interface Options {
  readonly folder?: string;
  readonly json?: boolean;
}

/** `pravah conversations`: prints the folder's conversations, the most recently used first. */
export function list(options: Options): Promise<number> {
  return withConversations(options, (conversations) => {
    const found = conversations.list();
    printAll(found, options);
    if (found.length === 0 && !options.json) printLine('No conversations yet. Agents keep one with conversation.scope: workspace.');
  });
}

/** `pravah conversations show KEY`: prints a conversation as people read it. */
export function show(key: string, options: Options & { readonly last?: number }): Promise<number> {
  return withConversations(options, (conversations) => {
    const entries = conversations.entries(key, options.last);
    const summary = conversations.summary(key);
    if (options.json) for (const entry of entries) printLine(JSON.stringify(entry));
    else {
      printLine(summaryColumns(summary).join('  '));
      for (const entry of entries) printEntry(entry);
    }
  });
}

/** `pravah conversations release KEY`. */
export function release(key: string, options: Options): Promise<number> {
  return withConversations(options, (conversations) => {
    printNote(conversations.release(key) ? `Released ${key}.` : `No run holds ${key}.`);
  });
}

/** `pravah conversations drop KEY`. */
export function drop(key: string, options: Options): Promise<number> {
  return withConversations(options, (conversations) => {
    conversations.drop(key, Date.now());
    printNote(`Emptied ${key}. Its runs keep what they have read.`);
  });
}

/** `pravah conversations erase KEY --yes`: without `--yes`, prints what would be removed. */
export function erase(key: string, options: Options & { readonly yes?: boolean }): Promise<number> {
  return withConversations(options, (conversations) => {
    const runs = conversations.runsIn(key);
    if (!options.yes) {
      for (const run of runs) printLine(run);
      throw new UsageError(`This removes ${key} and ${countOf(runs.length, 'run')} for good. Add --yes to do it.`);
    }
    conversations.erase(key, Date.now());
    printNote(`Removed ${key} and ${countOf(runs.length, 'run')}.`);
  });
}

/** `pravah conversations export KEY -o FILE`. */
export function exportTo(key: string, options: Options & { readonly out?: string; readonly format?: string }): Promise<number> {
  return withConversations(options, (conversations, { mask }) => {
    const entries = conversations.entries(key).map((entry) => ({ ...entry, content: maskTexts(mask, entry.content) }));
    const text =
      options.format === 'openai' ? `${fineTuningLine(entries)}\n` : `${JSON.stringify(conversationExport(key, entries), null, 2)}\n`;
    if (options.out === undefined) printLine(text.trimEnd());
    else writeFileSync(options.out, text);
  });
}

const exported = z.object({
  pravah_conversation: z.literal(1),
  key: z.string().min(1).max(200),
  entries: z.array(messageSchema.extend({ entry: entrySchema })),
});

/** `pravah conversations import FILE`. */
export async function importFrom(file: string, options: Options): Promise<number> {
  const { key, entries } = readExport(file);
  // A folder without runs has no journal yet: an import makes it.
  return withConversations(
    options,
    (conversations) => {
      conversations.import(key, entries, Date.now());
      printNote(`Imported ${key} with ${countOf(entries.length, 'entry', 'entries')}.`);
    },
    openWorkspaceJournals,
  );
}

/** `pravah conversations branches KEY`: prints the branches that forks have made. */
export function branches(key: string, options: Options): Promise<number> {
  return withConversations(options, (conversations) => printAll(conversations.branches(key), options));
}

/** `pravah conversations adopt BRANCH`. */
export function adopt(branch: string, options: Options): Promise<number> {
  return withConversations(options, (conversations) => {
    conversations.adopt(branch, Date.now());
    printNote(`${branch} is the conversation now.`);
  });
}

async function withConversations(
  options: Options,
  use: (conversations: JournalConversations, settings: WorkspaceSettings) => void,
  open: typeof openExistingJournals = openExistingJournals,
): Promise<number> {
  const folder = await chooseWorkspace(options.folder);
  const journals = await open(folder);
  try {
    const conversations = new JournalConversations(journals.main);
    const settings = await loadSettings(folder);
    const { keep_days } = settings.conversations;
    if (keep_days !== undefined) conversations.expireAfter(keep_days, Date.now());
    use(conversations, settings);
    return exitCodes.success;
  } finally {
    closeJournals(journals);
  }
}

function readExport(file: string): z.infer<typeof exported> {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8')) as Json;
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const result = exported.safeParse(json);
  const gap = result.data?.entries.findIndex(
    ({ entry }, index) => index > 0 && entry.position <= (result.data.entries[index - 1]?.entry.position ?? 0),
  );
  if (result.success && gap === -1) return result.data;
  const issue = result.error?.issues[0];
  const why = issue
    ? `at ${issue.path.join('/') || 'its root'}, ${issue.message}`
    : `at entries/${gap}, its position is not higher than that before it`;
  throw new UsageError(`${file} is no exported conversation: ${why}. Nothing was imported.`);
}

function printAll(found: readonly ConversationSummary[], options: Options): void {
  for (const line of options.json ? found.map((each) => JSON.stringify(each)) : alignedRows(found.map(summaryColumns))) printLine(line);
}

function summaryColumns({ key, conversation, entries, tokens, updated_at, held_by, branch }: ConversationSummary): string[] {
  const when = new Date(updated_at).toISOString().slice(0, 19).replace('T', ' ');
  const held = held_by
    ? `held by ${held_by.node} of ${held_by.run_id}${held_by.waits_for ? `, waiting for ${held_by.waits_for}` : ''}`
    : '';
  const from = branch ? `branch at ${branch.at}` : '';
  return [
    branch ? conversation : key,
    when,
    countOf(entries, 'entry', 'entries'),
    countOf(tokens, 'token'),
    [from, held].filter(Boolean).join('  '),
  ];
}

function printEntry(message: ConversationEntry): void {
  const { entry, role } = message;
  const kind = entry.kind === 'summary' ? `summary of ${entry.replaces?.join('–') ?? ''}` : role;
  printLine(
    `${styled('dim', String(entry.position).padStart(4))}  ${styled('bold', kind)}  ${styled('dim', `${entry.node}  ${entry.run_id}`)}`,
  );
  printLine(messageText(message).replace(/^/gm, '      '));
}
