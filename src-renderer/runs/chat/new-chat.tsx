import { Button, Select, TextInput } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { editorStore } from '#renderer/document/flows/editor.ts';
import { type AgentPlace, chatStore } from '#renderer/runs/conversations/chat-store.ts';
import { ValueEditor } from '#renderer/ui/forms/value-editor.tsx';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import { keyProblem } from '#shared/run/kept-conversation.ts';
import { ChatBox } from './chat-box.tsx';
import styles from './chat-panel.module.css';
import { sendFirst } from './send-message.ts';
import { begunChat, freeKey, messageInput, type TalkingAgent } from './talk-to-agent.ts';
import { texts } from './texts.ts';

interface NewChatProps {
  /** Keys of the conversations that exist. */
  readonly taken: readonly string[];
  readonly proposed: AgentPlace | null;
}

/** Begins a conversation with an agent of an open flow: its first message starts the first run. */
export function NewChat({ taken, proposed }: NewChatProps) {
  const agents = useAgents();
  const formId = useId();
  const wanted = proposed ? optionOf(proposed) : null;
  const [chosen, setChosen] = useState<string | null>(null);
  const value = [chosen, wanted].find((each) => each !== null && agents.has(each)) ?? agents.keys().next().value ?? null;
  const agent = value === null ? undefined : agents.get(value);
  const [key, setKey] = useState('');
  const [rest, setRest] = useState<Json | undefined>(undefined);
  const parts = useMemo(() => (agent ? messageInput(agent) : null), [agent]);
  const name = key.trim();
  const wrong = name === '' ? null : keyProblem(name);
  const fault = taken.includes(name) ? texts.keyTaken : wrong === null ? null : texts.keyWrong(wrong);

  const chatOf = (of: TalkingAgent) => ({
    ...begunChat(of, name === '' ? freeKey(of.title, taken) : name, isJsonObject(rest) ? rest : ({} satisfies JsonObject)),
    field: messageInput(of).field,
  });

  return (
    <div className={styles.panel}>
      <header className={styles.header}>
        <h2 className={styles.key}>{texts.newTitle}</h2>
        <span className={styles.end}>
          <Button size="compact-xs" variant="default" onClick={() => chatStore.setState({ beginning: null })}>
            {texts.cancel}
          </Button>
        </span>
      </header>
      <div className={styles.form}>
        {agents.size === 0 ? (
          <p className={styles.note}>{texts.noAgents}</p>
        ) : (
          <>
            <Select
              label={texts.agent}
              description={texts.agentHint}
              data={[...agents].map(([each, { title, path }]) => ({ value: each, label: `${title} · ${path}` }))}
              value={value}
              allowDeselect={false}
              onChange={(next) => {
                setChosen(next);
                setRest(undefined);
              }}
            />
            <TextInput
              label={texts.key}
              description={texts.keyHint}
              placeholder={agent && freeKey(agent.title, taken)}
              value={key}
              error={fault}
              onChange={(event) => setKey(event.currentTarget.value)}
            />
            {parts?.rest && (
              <ValueEditor
                key={value}
                id={formId}
                label={texts.other}
                schema={parts.rest}
                value={rest}
                defaults
                onChange={setRest}
                onSubmit={() => undefined}
              />
            )}
          </>
        )}
      </div>
      <ChatBox
        view={null}
        blocked={!agent || fault !== null}
        send={async (text) => {
          if (!agent) return { failure: new FlowError('Invalid', texts.noAgents).toJSON() };
          const chat = chatOf(agent);
          const result = await sendFirst(chat, text);
          if ('run_id' in result)
            chatStore.setState({ shown: chat.key, beginning: null, begun: { ...chat, sent: { run_id: result.run_id, text } } });
          return result;
        }}
        onSent={() => undefined}
      />
    </div>
  );
}

function optionOf({ path, index }: AgentPlace): string {
  return `${index} ${path}`;
}

/** The agents of the open flows, those of the shown flow first. */
function useAgents(): ReadonlyMap<string, TalkingAgent> {
  const { flows, tabs, current } = useStore(editorStore);
  return useMemo(() => {
    const paths = [...tabs].sort((a, b) => Number(b === current) - Number(a === current));
    const found = paths.flatMap((path) => {
      const flow = flows[path];
      if (!flow?.readable || flow.code) return [];
      const { nodes, schemas } = flow.readable;
      return nodes.flatMap((node) => {
        if (node.kind !== 'agent') return [];
        const title = flow.view.nodes.find(({ index }) => index === node.index)?.title ?? node.id;
        return [[optionOf({ path, index: node.index }), { node, title, path, schemas }] as const];
      });
    });
    return new Map(found);
  }, [flows, tabs, current]);
}
