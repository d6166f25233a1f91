import { useEffect, useState } from 'react';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import type { AgentTurn } from '#shared/contract/runs.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';

interface Conversation {
  readonly messages: readonly Message[];
  /** Time and tokens of the agent's transitions. */
  readonly turns: readonly AgentTurn[];
  readonly failure: TransferableError | null;
  /** False until it has been read for the first time. */
  readonly known: boolean;
}

const nothing: Conversation = { messages: [], turns: [], failure: null, known: false };

/**
 * An agent's messages up to a step, and the costs of its turns. The previous ones stay until the new ones have loaded. They load again when the
 * run stops or continues: a step that fails adds the model's messages, but no step.
 */
export function useConversation(run_id: string, node: string | null, seq: number, running: boolean): Conversation {
  const [conversation, setConversation] = useState(nothing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `running` is not part of the request; it changes when there may be more to read
  useEffect(() => {
    if (node === null) return;
    let mine = true;
    Promise.all([studio.runs.conversation({ run_id, node, seq }), studio.runs.turns({ run_id, node, seq })]).then(
      ([messages, turns]) => mine && setConversation({ messages, turns, failure: null, known: true }),
      (thrown) => mine && setConversation((before) => ({ ...before, failure: failureOf(thrown), known: true })),
    );
    return () => {
      mine = false;
    };
  }, [run_id, node, seq, running]);
  return conversation;
}
