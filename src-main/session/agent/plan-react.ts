import type { EventPart } from '#main/session/state/session.ts';

const finalAnswer = '/*FINAL_ANSWER*/';
const otherTags = ['/*PLANNING*/', '/*REASONING*/', '/*ACTION*/', '/*REPLANNING*/'];

/** Splits a text of an agent that plans: up to the last final tag it is thought, after it the answer; without one, what begins with a tag is thought. */
export function planParts(text: string): EventPart[] {
  const index = text.lastIndexOf(finalAnswer);
  if (index < 0) return [otherTags.some((tag) => text.startsWith(tag)) ? { thought: text } : { text }];
  const end = index + finalAnswer.length;
  const answer = text.slice(end);
  return [{ thought: text.slice(0, end) }, ...(answer === '' ? [] : [{ text: answer }])];
}
