import { ActionIcon, Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core';
import { IconFileText, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import { stateNames } from '#renderer/document/editing/states.ts';
import { replaceText } from '#renderer/document/flows/editor.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { startRename } from '#renderer/editor/actions/rename-store.ts';
import { toneOf } from '#renderer/editor/problems/problem-tone.ts';
import { CodeEditor } from '#renderer/ui/code/code-editor.tsx';
import { EmptyState } from '#renderer/ui/controls/empty-state.tsx';
import type { CodeFlowContent } from '#shared/contract/flows.ts';
import { defaultParallel, mostAhead } from '#shared/flow/parallel.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { ChoiceSetting, NumberSetting } from './agent-setting.tsx';
import { CodeFlowView } from './code-flow-view.tsx';
import { setField, textOrUndefined } from './edit-node.ts';
import styles from './inspector.module.css';
import { SchemaEditor } from './schema-editor.tsx';
import { texts } from './texts.ts';

/** The whole flow: its name, input, output and schemas, or its text. */
export function FlowInspector() {
  const [view, setView] = useState<'form' | 'text'>('form');
  const flow = useCurrentFlow((open) => open);
  if (!flow)
    return (
      <EmptyState icon={IconFileText} title={texts.flow.noneOpen}>
        {texts.flow.howToOpen}
      </EmptyState>
    );
  if (flow.code) return <CodeFlowPanel flow={flow} code={flow.code} />;
  const unreadable = flow.parsed.root === null;
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2 title={flow.path}>{flow.parsed.outline.name ?? flow.path}</h2>
        <SegmentedControl
          size="xs"
          aria-label={texts.formOrText}
          data={[
            { value: 'form', label: texts.form },
            { value: 'text', label: flow.parsed.language === 'json' ? texts.json : texts.yaml },
          ]}
          value={unreadable ? 'text' : view}
          onChange={(value) => setView(value as 'form' | 'text')}
        />
      </div>
      {unreadable &&
        flow.parsed.problems.map((problem) => (
          <p key={problem.message} className={styles.problem}>
            {problem.message}
          </p>
        ))}
      {view === 'text' || unreadable ? (
        <div className={styles.fill}>
          <CodeEditor
            id={`flow ${flow.path}`}
            label={texts.flow.text(flow.path)}
            language={flow.parsed.language}
            value={flow.parsed.text}
            onChange={(text) => replaceText(flow.path, text, texts.flow.editText, 'flow text')}
            fill
          />
        </div>
      ) : (
        <FlowForm />
      )}
    </div>
  );
}

function CodeFlowPanel({ flow, code }: { flow: OpenFlow; code: CodeFlowContent }) {
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2 title={flow.path}>{flow.parsed.outline.name ?? flow.path}</h2>
      </div>
      {code.report.problems.map((problem) => (
        <p key={`${problem.path} ${problem.message}`} className={styles.problem} data-tone={toneOf(problem)}>
          {problem.message}
        </p>
      ))}
      <CodeFlowView flow={flow} code={code} />
    </div>
  );
}

function FlowForm() {
  const readable = useCurrentFlow((flow) => flow?.readable ?? null);
  const value = useCurrentFlow((flow) => flow?.parsed.root?.value ?? null);
  const [described, setDescribed] = useState<string | null>(null);
  if (!readable || !isJsonObject(value ?? undefined)) return null;
  const document = value as JsonObject;
  const setting = { agent: document, path: [] };
  const names = [...stateNames(readable)].sort();
  return (
    <>
      <TextInput
        label={texts.flow.name}
        value={typeof document.name === 'string' ? document.name : ''}
        onChange={(event) => setField(['name'], event.currentTarget.value, texts.flow.editName)}
      />
      <Textarea
        label={texts.flow.description}
        autosize
        minRows={2}
        value={typeof document.description === 'string' ? document.description : ''}
        onChange={(event) => setField(['description'], textOrUndefined(event.currentTarget.value), texts.flow.editDescription)}
      />
      <div className={styles.row}>
        <Select
          className={styles.code ?? ''}
          label={texts.flow.input}
          data={names}
          value={readable.input || null}
          searchable
          allowDeselect={false}
          onChange={(state) => state !== null && setField(['input'], state, texts.flow.chooseInput)}
        />
        <Select
          className={styles.code ?? ''}
          label={texts.flow.output}
          data={names}
          value={readable.output || null}
          searchable
          allowDeselect={false}
          onChange={(state) => state !== null && setField(['output'], state, texts.flow.chooseOutput)}
        />
      </div>
      <div className={styles.section}>
        <h3>{texts.flow.parallel}</h3>
        <div className={styles.row}>
          <NumberSetting
            label={texts.flow.ahead}
            placeholder={`${defaultParallel.ahead}`}
            min={1}
            max={mostAhead}
            keys={['parallel', 'ahead']}
            {...setting}
          />
          <ChoiceSetting
            label={texts.flow.effects}
            byDefault={defaultParallel.effects}
            data={[
              { value: 'model', label: texts.flow.modelCalls },
              { value: 'read', label: texts.flow.reading },
              { value: 'all', label: texts.flow.everything },
            ]}
            keys={['parallel', 'effects']}
            {...setting}
          />
        </div>
      </div>
      <div className={styles.section}>
        <h3>{texts.flow.schemas}</h3>
        <ul>
          {names.map((name) => (
            <li key={name} className={styles.state}>
              <Button
                variant={described === name ? 'light' : 'subtle'}
                size="compact-xs"
                color="gray"
                style={{ flex: 1, width: 'auto', fontFamily: 'var(--font-code)' }}
                justify="flex-start"
                aria-expanded={described === name}
                onClick={() => setDescribed(described === name ? null : name)}
              >
                {name}
              </Button>
              <ActionIcon
                size={22}
                style={{ flex: 'none' }}
                onClick={() => startRename(name)}
                aria-label={texts.flow.rename(name)}
                title={texts.flow.renameEverywhere(name)}
              >
                <IconPencil size={14} stroke={1.5} />
              </ActionIcon>
            </li>
          ))}
        </ul>
        {described !== null && <SchemaEditor key={described} state={described} schema={readable.schemas[described]} />}
      </div>
    </>
  );
}
