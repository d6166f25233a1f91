import { Button, Switch, Textarea } from '@mantine/core';
import { useMemo } from 'react';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { beginChat } from '#renderer/runs/conversations/chat-store.ts';
import { ModelField } from '#renderer/workspace/models/model-field.tsx';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { AgentContext } from './agent-context.tsx';
import { AgentMode } from './agent-mode.tsx';
import { NumberSetting, SwitchSetting } from './agent-setting.tsx';
import { setField, textOrUndefined } from './edit-node.ts';
import { fieldPaths } from './field-paths.ts';
import styles from './inspector.module.css';
import { TemplateText } from './template-text.tsx';
import { texts } from './texts.ts';
import { ToolUses } from './tool-uses.tsx';

/** The settings of an agent. Defaults are not written to the file. */
export function AgentFields({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const agent: JsonObject = isJsonObject(node.raw.agent) ? node.raw.agent : {};
  const path = ['nodes', node.index, 'agent'] as const;
  const text = (key: string) => (typeof agent[key] === 'string' ? agent[key] : '');
  const [from = ''] = node.from;
  const fields = useMemo(() => fieldPaths(flow.schemas[from]), [flow.schemas, from]);
  const setting = { agent, path };
  return (
    <>
      <div className={styles.section}>
        <h3>{texts.agent.heading}</h3>
        <Button size="xs" variant="default" title={texts.agent.tryHint} onClick={() => tryAgent(node.index)}>
          {texts.agent.try}
        </Button>
        {isJsonObject(agent.model) ? (
          <p className={styles.hint}>{texts.agent.modelChoice(String(agent.model.by), choiceNames(agent.model))}</p>
        ) : (
          <ModelField
            className={styles.code ?? ''}
            label={texts.agent.model}
            value={text('model')}
            onChange={(value) => setField([...path, 'model'], value, texts.agent.editModel)}
          />
        )}
        <TemplateText
          label={texts.agent.systemPrompt}
          description={texts.agent.systemPromptHint}
          minRows={2}
          maxRows={10}
          fields={fields}
          value={text('preamble')}
          onChange={(value) => setField([...path, 'preamble'], textOrUndefined(value), texts.agent.editSystemPrompt)}
        />
        <TemplateText
          label={texts.agent.userPrompt}
          description={texts.agent.userPromptHint}
          minRows={3}
          maxRows={14}
          fields={fields}
          value={text('prompt')}
          onChange={(value) => setField([...path, 'prompt'], textOrUndefined(value), texts.agent.editUserPrompt)}
        />
        <ToolUses label={texts.agent.tools} path={[...path, 'tools']} value={agent.tools} wildcards />
        <AgentMode {...setting} />
      </div>
      <div className={styles.section}>
        <h3>{texts.agent.limits}</h3>
        <div className={styles.row}>
          <NumberSetting label={texts.agent.maxTurns} placeholder="16" keys={['limits', 'turns']} {...setting} />
          <NumberSetting label={texts.agent.seconds} placeholder="120" keys={['limits', 'seconds']} {...setting} />
        </div>
        <div className={styles.row}>
          <NumberSetting
            label={texts.agent.temperature}
            placeholder={texts.agent.modelDefault}
            keys={['params', 'temperature']}
            step={0.1}
            {...setting}
          />
          <NumberSetting
            label={texts.agent.maxTokens}
            placeholder={texts.agent.modelDefault}
            keys={['params', 'max_tokens']}
            {...setting}
          />
        </div>
        <div className={styles.row}>
          <NumberSetting
            label={texts.agent.topP}
            placeholder={texts.agent.modelDefault}
            keys={['params', 'top_p']}
            step={0.1}
            max={1}
            {...setting}
          />
          <NumberSetting label={texts.agent.outputRetries} placeholder="2" keys={['output', 'attempts']} {...setting} />
        </div>
        <AgentContext {...setting} />
        <SwitchSetting label={texts.agent.repairJson} byDefault keys={['output', 'repair']} {...setting} />
        <Switch
          label={texts.agent.trust}
          description={texts.agent.trustHint}
          checked={agent.trust_content === true}
          onChange={(event) => setField([...path, 'trust_content'], event.currentTarget.checked ? true : undefined, texts.agent.editTrust)}
        />
        <Textarea
          className={styles.code ?? ''}
          label={texts.agent.grammar}
          description={texts.agent.grammarHint}
          autosize
          minRows={1}
          maxRows={8}
          value={grammarOf(agent)}
          onChange={(event) =>
            setField([...path, 'output', 'grammar'], textOrUndefined(event.currentTarget.value), texts.agent.editGrammar)
          }
        />
      </div>
    </>
  );
}

function grammarOf({ output }: JsonObject): string {
  return isJsonObject(output ?? null) && typeof (output as JsonObject).grammar === 'string' ? String((output as JsonObject).grammar) : '';
}

/** The names of the models that the input chooses from. */
function choiceNames({ by: _by, else: _otherwise, ...urls }: JsonObject): readonly string[] {
  return Object.keys(urls);
}

/** Shows the form that begins a conversation with an agent of the shown flow. */
function tryAgent(index: number): void {
  const flow = currentFlow();
  if (flow) beginChat({ path: flow.path, index });
}
