import { type ProblemTone, toneLooks } from '#renderer/editor/problems/problem-tone.ts';

/** The icon of a problem. */
export function ToneIcon({ tone, size = 15 }: { tone: ProblemTone; size?: number }) {
  const Icon = toneLooks[tone].icon;
  return <Icon size={size} />;
}
