import type { Builtin } from '#shared/flow/expansion/builtin.ts';
import { canonicalJson, type Json, type JsonObject } from '#shared/json.ts';
import { FlowError, type TransferableError } from '#shared/runtime/error.ts';
import { capJson } from '#shared/runtime/model-text.ts';

/** What a replica of a redundant agent left behind. */
export type ReplicaAnswer = { readonly value: Json } | { readonly error: TransferableError };

/** What the replicas agreed on. `confidence` is from 0 to 1; pagantic's `ConfidenceSource` says where it comes from. */
export interface VoteResult {
  readonly value: Json;
  readonly confidence: number;
  readonly confidence_source: 'voting' | 'validation';
  /** Replicas whose answer is this one; of a judge's choice, not counted. */
  readonly agreeing?: number;
  readonly replicas: number;
  /** Failures of replicas, where there were some. */
  readonly failed?: readonly TransferableError[];
  /** A judge's reason. */
  readonly reason?: string;
}

/** A judge's verdict: the number of an answer, from 1. */
export interface Verdict {
  readonly choice: number;
  readonly confidence: number;
  readonly reason: string;
}

/**
 * Counts the answers. `majority`: the value that most replicas gave (of equally many the earliest), as sure as the share of all replicas that gave it.
 * `first_valid`: the first valid one, as sure as the share of replicas whose answer was valid. Throws `AgentError` `ORCHESTRATION_NO_CONSENSUS`.
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
      `${agreeing} of ${answers.length} replicas ${vote === 'majority' ? 'agree' : 'gave a valid answer'}; at least ${min_agreement * 100} % must`,
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

/** What a judge is asked. Throws `AgentError` `ORCHESTRATION_NO_CONSENSUS` when there is nothing to choose from. */
export function ballotOf(input: Json, answers: readonly ReplicaAnswer[]): JsonObject {
  if (failuresOf(answers).length === answers.length) throw noAnswer(answers);
  return { input, answers: answers as unknown as Json };
}

/** The answer that the judge chose. Throws `AgentError`: `ORCHESTRATION_NO_CONSENSUS` when the judge is not sure enough or chose what is no answer. */
export function judgedVote(answers: readonly ReplicaAnswer[], { choice, confidence, reason }: Verdict, minAgreement: number): VoteResult {
  const chosen = answers[choice - 1];
  if (!chosen || !('value' in chosen)) throw noConsensus(`the judge chose answer ${choice}, which is none of the valid ones`, answers);
  if (confidence < minAgreement) {
    throw noConsensus(
      `the judge is sure of answer ${choice} to ${confidence * 100} %; at least ${minAgreement * 100} % are asked for`,
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
  return noConsensus(`none of the ${answers.length} replicas has an answer: ${reasons.join(' ')}`, answers);
}

function noConsensus(why: string, answers: readonly ReplicaAnswer[]): FlowError {
  return new FlowError('AgentError', `There is no consensus: ${why}.`, {
    code: 'ORCHESTRATION_NO_CONSENSUS',
    category: 'orchestration',
    retryable: false,
    details: { answers: answers.map((answer) => capJson(answer as unknown as Json)) },
  });
}
