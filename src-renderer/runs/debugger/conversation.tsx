import { SegmentedControl } from '@mantine/core';
import { IconMessages, IconPinFilled } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import { ranInRoundStore } from '#renderer/runs/model/ran-in-round.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import { FailureText } from '#renderer/ui/values/failure-text.tsx';
import { loadModels, modelsStore } from '#renderer/workspace/models/models.ts';
import styles from './conversation.module.css';
import { type ConversationBlock, conversationBlocks } from './conversation-turns.ts';
import { texts } from './texts.ts';
import { ToolCallItem } from './tool-call-item.tsx';
import { costText, type ModelPrices, type TurnCost, turnCosts } from './turn-costs.ts';
import { useConversation } from './use-conversation.ts';
import { useFollowEnd } from './use-follow-end.ts';

interface ConversationProps {
  readonly view: RunView;
  readonly titles: NodeTitles;
  /** The selected step. */
  readonly seq: number;
}

/** Nodes that have called a model, in the order of their first call. */
function agentsOf(view: RunView, seq: number): readonly string[] {
  const nodes = view.conversations.flatMap(({ node, since }) => (since <= seq ? [node] : []));
  if (seq === view.seq) nodes.push(...workingAgents(view));
  return [...new Set(nodes)];
}

/** Agents that are at work now: the one whose turn it is, and those that work ahead. */
function workingAgents({ activity, ahead }: RunView): readonly string[] {
  const working = [...Object.values(ahead), ...(activity ? [activity] : [])];
  return working.flatMap(({ node, kind }) => (kind === 'agent' ? [node] : []));
}

/** The messages between an agent and its model: the prompt as sent, reasoning, and tool calls with input and result. */
export function Conversation({ view, titles, seq }: ConversationProps) {
  const round = useRunSession((state) => state.round);
  const ran = useStore(ranInRoundStore, (state) => state.ran);
  const inRound = round && ran?.request.run_id === view.run_id ? new Set(ran.agents) : null;
  const agents = agentsOf(view, seq).filter((id) => inRound?.has(id) ?? true);
  const [chosen, setChosen] = useState<string | null>(null);
  const node = chosen !== null && agents.includes(chosen) ? chosen : (agents.at(-1) ?? null);
  const { messages, turns, failure, known } = useConversation(view.run_id, node, seq, view.status === 'running');
  const blocks = conversationBlocks(messages);
  const prices = usePrices();
  const costs = turnCosts(blocks.filter(({ turn }) => turn !== null).length, turns);
  const working = view.activity?.node === node ? view.activity : node === null ? null : (view.ahead[node] ?? null);
  const live = seq === view.seq ? working : null;
  const panel = useRef<HTMLDivElement>(null);
  useFollowEnd(panel, `${view.run_id} ${node} ${seq === view.seq}`, live ?? messages);
  if (node === null)
    return (
      <EmptyState icon={IconMessages} title={texts.conversation.emptyTitle}>
        {texts.conversation.empty}
      </EmptyState>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by the keyboard
    <div ref={panel} className={styles.panel} role="log" aria-label={texts.conversation.label} aria-live="off" tabIndex={0}>
      {agents.length > 1 && (
        <SegmentedControl
          className={styles.agents}
          aria-label={texts.conversation.agent}
          value={node}
          data={agents.map((id) => ({ value: id, label: titles(id) }))}
          onChange={setChosen}
        />
      )}
      {failure && <FailureText failure={failure} />}
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
        <Block key={index} block={block} view={view} cost={block.turn === null ? null : (costs[block.turn - 1] ?? null)} prices={prices} />
      ))}
      {live && (live.reasoning || live.text) && (
        <Block
          block={{
            role: 'assistant',
            turn: live.turn,
            items: [
              { type: 'reasoning', text: live.reasoning },
              { type: 'text', text: live.text },
            ],
            incomplete: false,
          }}
          view={view}
        />
      )}
      {known && messages.length === 0 && !live && !failure && <p className={styles.note}>{texts.conversation.noMessages}</p>}
    </div>
  );
}

const roleNames = { system: texts.conversation.system, user: texts.conversation.user, assistant: texts.conversation.turn(null) };

/** The prices of models: the user's, replaced by those of the folder. */
function usePrices(): ModelPrices {
  const overview = useStore(modelsStore, (state) => state.overview);
  useEffect(() => {
    // A turn is worth reading without its price, so a failure is ignored.
    if (!overview) void loadModels();
  }, [overview]);
  return useMemo(() => (overview ? { ...overview.prices, ...overview.folder_prices } : noPrices), [overview]);
}

const noPrices: ModelPrices = {};

interface BlockProps {
  readonly block: ConversationBlock;
  readonly view: RunView;
  readonly cost?: TurnCost | null;
  readonly prices?: ModelPrices;
}

function Block({ block, view, cost = null, prices = noPrices }: BlockProps) {
  const waiting = view.suspensions[0]?.tool_call_id;
  return (
    <section className={styles.block} data-role={block.role}>
      <h2 className={styles.heading}>
        {block.turn === null ? roleNames[block.role] : texts.conversation.turn(cost?.turn ?? block.turn)}
        {cost && (
          <>
            <span className={styles.cost}>{costText(cost, prices)}</span>
            {cost.mocked > 0 && (
              <span className={styles.mocked}>
                <IconPinFilled size={12} aria-hidden="true" />
                {texts.timeline.mocked(cost.mocked)}
              </span>
            )}
            <button type="button" className={styles.step} onClick={() => runSessionStore.getState().select(cost.seq)}>
              {texts.conversation.step(cost.seq)}
            </button>
          </>
        )}
        {block.incomplete && <span className={styles.note}> · {texts.conversation.incomplete}</span>}
      </h2>
      {block.items.map((item, index) => {
        if (item.type === 'call')
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message do not move, and calls of an answer that was cut off may have no id
          return <ToolCallItem key={index} call={item.call} waiting={!block.incomplete && item.call.tool_call_id === waiting} />;
        if (item.type === 'image')
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of a message do not move
            <img key={index} className={styles.image} alt={texts.conversation.image} src={`data:${item.media_type};base64,${item.data}`} />
          );
        if (item.text === '') return null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <div key={index} className={styles.text} data-type={item.type}>
            {item.type === 'reasoning' && <strong>{texts.conversation.reasoning} </strong>}
            {item.text}
          </div>
        );
      })}
    </section>
  );
}
