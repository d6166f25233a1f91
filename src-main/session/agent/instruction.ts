import type { Step } from '#main/engine/step/step.ts';
import type { Session } from '#main/session/state/session.ts';
import { pythonText, pythonValue } from '#main/session/state/state-values.ts';
import { instructionPlaceholder, parsePlaceholder } from '#shared/pyflow/keys-read.ts';
import { FlowError } from '#shared/run/error.ts';
import { artifactText } from './artifact-text.ts';

/** Fills the placeholders of an instruction by ADK's rules. Throws `HandlerError` for a key or an artifact that is not there. */
export async function fillInstruction(step: Step, text: string, session: Session): Promise<string> {
  let filled = '';
  let at = 0;
  for (const match of text.matchAll(instructionPlaceholder)) {
    filled += text.slice(at, match.index) + (await fill(step, match[0], session));
    at = match.index + match[0].length;
  }
  return filled + text.slice(at);
}

async function fill(step: Step, match: string, session: Session): Promise<string> {
  const placeholder = parsePlaceholder(match);
  if (!placeholder) return match;
  const { type, name, optional } = placeholder;
  const value = type === 'artifact' ? await artifactText(step, name) : keyText(session, name);
  if (value !== undefined) return value;
  if (optional) return '';
  const what = type === 'artifact' ? `The artifact ${name} does not exist` : `The state has no key "${name}"`;
  throw new FlowError('HandlerError', `${what}, and the instruction of ${step.node} needs it. Write {${name}?} if it may be missing.`, {
    node: step.node,
    retryable: false,
  });
}

function keyText(session: Session, name: string): string | undefined {
  return pythonValue(session, name) === null ? '' : pythonText(session, name);
}
