import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { capitalized, nodeLabel } from './node-label.ts';
import type { Report } from './report.ts';

/** Checks where an agent keeps its conversation. Values of the wrong type are left to the format check. */
export function checkConversation(node: OutlineNode, report: Report): void {
  const { raw, path, id } = node;
  const agent = isJsonObject(raw.agent) ? raw.agent : {};
  const { conversation, mode } = agent;
  if (isJsonObject(agent.context) && agent.context.summarise !== undefined && !isKept(conversation)) {
    const where = `${path}/agent/context/summarise`;
    const who = capitalized(nodeLabel(node));
    report(
      'bad_conversation',
      where,
      [id],
      `${who} summarises a conversation that it does not keep. Add a "conversation" of the scope run or workspace.`,
    );
  }
  if (!isJsonObject(conversation)) return;
  const place = `${path}/agent/conversation`;
  const who = capitalized(nodeLabel(node));
  const { scope = 'visit', key } = conversation;
  if (scope === 'visit') return;
  if (key === undefined) {
    report(
      'bad_conversation',
      place,
      [id],
      `${who} keeps its conversation in the ${scope}, but has no key. Add "key", such as "customer/{id}".`,
    );
  }
  if (mode === 'plan' || mode === 'redundant') {
    report(
      'bad_conversation',
      place,
      [id],
      `${who} has the mode ${mode}, whose inner agents keep no conversation. Use the scope visit, or the mode structured or chat.`,
    );
  }
  if (raw.session !== undefined)
    report(
      'bad_conversation',
      place,
      [id],
      `${who} belongs to a PyFlow session, which keeps its conversations itself. Remove "conversation".`,
    );
}

function isKept(conversation: Json | undefined): boolean {
  return isJsonObject(conversation) && (conversation.scope === 'run' || conversation.scope === 'workspace');
}
