import type { Builtin } from '#shared/flow/expansion/builtin.ts';
import { canonicalJson, type Json, type JsonObject, toJson } from '#shared/json.ts';
import { FlowError, type TransferableError } from '#shared/run/error.ts';
import { capJson } from '#shared/run/model-text.ts';

/** The answer of a replica of a redundant agent. */
export type ReplicaAnswer = { readonly value: Json } | { readonly error: TransferableError };

/** The result of a vote. `confidence` is between 0 and 1; its source is pagantic's `ConfidenceSource`. */
export interface VoteResult {
  readonly value: Json;
  readonly confidence: number;
  readonly confidence_source: 'voting' | 'validation';
  /** Number of replicas that gave this answer; not counted if a judge chose. */
  readonly agreeing?: number;
  readonly replicas: number;
  /** Failures of replicas, if any. */
  readonly failed?: readonly TransferableError[];
  /** The judge's reason. */
  readonly reason?: string;
}

/** A judge's verdict: the number of an answer, starting at 1. */
export interface Verdict {
  readonly choice: number;
  readonly confidence: number;
  readonly reason: string;
}

/**
 * Counts the answers. `majority`: the most frequent value (the earliest of a tie); the confidence is its share of all replicas.
 * `first_valid`: the first valid value; the confidence is the share of valid answers. Throws `AgentError` `ORCHESTRATION_NO_CONSENSUS`.
 */
export function countVotes(answers: readonly ReplicaAnswer[], { vote, min_agreement }: Extract<Builtin, { name: 'vote' }>): VoteResult {
  const groups = new Map<string, { value: Json; count: number }>();
  for (const answer of answers) {
    if (!('value' in answer)) continue;
    const group = groups.get(canonicalJson(answer.value));
    if (group) group.count += 1;
    else groups.set(canonicalJson(answer.value), { value: answer.value, count: 1 });
  }
  const [first] = groups.values();
  if (!first) throw noAnswer(answers);
  const valid = answers.length - failuresOf(answers).length;
  const winner = vote === 'majority' ? [...groups.values()].reduce((best, next) => (next.count > best.count ? next : best)) : first;
  const agreeing = vote === 'majority' ? winner.count : valid;
  const confidence = agreeing / answers.length;
  if (confidence < min_agreement) {
    throw noConsensus(
      `${agreeing} of ${answers.length} replicas ${vote === 'majority' ? 'agree' : 'gave a valid answer'}; at least ${min_agreement * 100} % is required`,
      answers,
    );
  }
  return {
    value: winner.value,
    confidence,
    confidence_source: vote === 'majority' ? 'voting' : 'validation',
    agreeing: winner.count,
    ...countOf(answers),
  };
}

/** Whether a state is the result of a vote. */
export function isVoteResult(value: unknown): value is VoteResult {
  return typeof value === 'object' && value !== null && 'value' in value && 'confidence' in value && 'replicas' in value;
}

/** The input of a judge. Throws `AgentError` `ORCHESTRATION_NO_CONSENSUS` if there is nothing to choose from. */
export function ballotOf(input: Json, answers: readonly ReplicaAnswer[]): JsonObject {
  if (failuresOf(answers).length === answers.length) throw noAnswer(answers);
  return { input, answers: toJson(answers) };
}

/** The answer that the judge chose. Throws `AgentError` `ORCHESTRATION_NO_CONSENSUS` if the confidence is too low or the choice is invalid. */
export function judgedVote(answers: readonly ReplicaAnswer[], { choice, confidence, reason }: Verdict, minAgreement: number): VoteResult {
  const chosen = answers[choice - 1];
  if (!chosen || !('value' in chosen)) throw noConsensus(`the judge chose answer ${choice}, which is not a valid answer`, answers);
  if (confidence < minAgreement) {
    throw noConsensus(
      `the judge's confidence in answer ${choice} is ${confidence * 100} %; at least ${minAgreement * 100} % is required`,
      answers,
    );
  }
  return { value: chosen.value, confidence, confidence_source: 'validation', ...countOf(answers), reason };
}

function countOf(answers: readonly ReplicaAnswer[]): Pick<VoteResult, 'replicas' | 'failed'> {
  const failed = failuresOf(answers);
  return { replicas: answers.length, ...(failed.length > 0 && { failed }) };
}

function failuresOf(answers: readonly ReplicaAnswer[]): TransferableError[] {
  return answers.flatMap((answer) => ('error' in answer ? [answer.error] : []));
}

function noAnswer(answers: readonly ReplicaAnswer[]): FlowError {
  const reasons = [...new Set(failuresOf(answers).map(({ message }) => message))];
  return noConsensus(`all ${answers.length} replicas failed: ${reasons.join(' ')}`, answers);
}

function noConsensus(why: string, answers: readonly ReplicaAnswer[]): FlowError {
  return new FlowError('AgentError', `No consensus: ${why}.`, {
    code: 'ORCHESTRATION_NO_CONSENSUS',
    category: 'orchestration',
    retryable: false,
    details: { answers: answers.map((answer) => capJson(toJson(answer))) },
  });
}
