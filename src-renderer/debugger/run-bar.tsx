import { Tooltip } from '@mantine/core';
import {
  type Icon,
  IconArrowBackUp,
  IconArrowBarToDown,
  IconArrowBarUp,
  IconArrowForwardUp,
  IconMessageReply,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerSkipForward,
  IconPlayerStop,
} from '@tabler/icons-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { isShortcut, shortcutText } from '#renderer/commands/shortcut.ts';
import { KeyHint } from '#renderer/controls/key-hint.tsx';
import { hasEnded } from '#renderer/stores/run-fold.ts';
import { runSubjectStore } from '#renderer/stores/run-subject.ts';
import { useRunSession } from '#renderer/stores/use-run-session.ts';
import { giveRunCommand } from './give-run-command.ts';
import styles from './run-bar.module.css';
import { actionOf, commandedRun, type RunCommand, runCommands, runShortcuts } from './run-commands.ts';
import { useFixedFlow } from './use-failure-actions.ts';
import { useRuns } from './use-runs.ts';

const mac = navigator.platform.startsWith('Mac');

interface RunButtonProps {
  readonly command: RunCommand;
  readonly label: string;
  readonly icon: Icon;
  /** What it does, for the tooltip. */
  readonly hint: string;
  readonly available: boolean;
  readonly primary?: boolean;
  /** Whether the key stands in the button; it always stands in the tooltip. */
  readonly showKey?: boolean;
}

function RunButton({ command, label, icon: Sign, hint, available, primary, showKey }: RunButtonProps) {
  const keys = shortcutText(runShortcuts[command], mac);
  return (
    <Tooltip label={`${hint} (${keys})`}>
      <button
        type="button"
        className={primary ? `${styles.button} ${styles.primary}` : styles.button}
        // Not `disabled`: a button that loses its focus while a step is under way would send the keyboard elsewhere.
        aria-disabled={!available}
        aria-keyshortcuts={runShortcuts[command].replace('Ctrl', 'Control')}
        onClick={() => giveRunCommand(command)}
      >
        <Sign size={16} stroke={1.75} aria-hidden="true" />
        <span>{label}</span>
        {showKey && <KeyHint keys={keys} />}
      </button>
    </Tooltip>
  );
}

/** Keys reach the debugger everywhere, in text fields too: they type nothing. Ctrl+Enter alone belongs to whoever edits. */
function useRunShortcuts() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
      const command = runCommands.find((name) => isShortcut(event, runShortcuts[name], mac));
      if (!command) return;
      if (command === 'run' && event.target instanceof Element && event.target.closest('form, textarea, .monaco-editor')) return;
      event.preventDefault();
      if (!event.repeat || command === 'over' || command === 'into' || command === 'back') giveRunCommand(command);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** The debugger's toolbar. */
export function RunBar() {
  useRuns();
  useRunShortcuts();
  const session = useRunSession((state) => state);
  // Which flow is shown matters here, not how it stands: the bar is not drawn anew with every key.
  useStore(runSubjectStore, (state) => state.flow?.path);
  const { flow } = runSubjectStore.getState();
  const can = (command: RunCommand) => actionOf(command, session, flow) !== null;
  const run = commandedRun(session, flow);
  const past = run !== null && session.selected !== null;
  const fresh = !past && (!run || hasEnded(run.status) || run.read_only);
  const waits = !past && !fresh && run.status === 'suspended';
  const fixed = useFixedFlow(past ? null : run);
  return (
    <div className={styles.bar} role="toolbar" aria-label="Run">
      {can('pause') ? (
        <RunButton command="pause" label="Pause" icon={IconPlayerPause} hint="Pause after this transition" available primary showKey />
      ) : past ? (
        <RunButton
          command="continue"
          label="To now"
          icon={IconPlayerSkipForward}
          hint="Return to where the run is"
          available
          primary
          showKey
        />
      ) : waits ? (
        <RunButton
          command="continue"
          label="Answer"
          icon={IconMessageReply}
          hint="Go to what the run waits for"
          available={can('continue')}
          showKey
        />
      ) : (
        <RunButton
          command="continue"
          label={fresh ? 'Run' : 'Continue'}
          icon={IconPlayerPlay}
          hint={fresh ? 'Start a run' : 'Run on until something waits, fails or ends'}
          available={can('continue')}
          primary={!fixed}
          showKey
        />
      )}
      <RunButton
        command="over"
        label="Over"
        icon={IconArrowForwardUp}
        hint={
          past
            ? 'Look at the next step'
            : fresh
              ? 'Start a run and stay before its first step'
              : 'Step over: until the next node has finished'
        }
        available={can('over')}
        showKey
      />
      <RunButton
        command="into"
        label="Into"
        icon={IconArrowBarToDown}
        hint={past ? 'Look at the next step' : 'Step into: one transition, also inside an agent'}
        available={can('into')}
        showKey
      />
      <RunButton
        command="out"
        label="Out"
        icon={IconArrowBarUp}
        hint="Step out: until the agent, or the For each around the next node, has finished"
        available={can('out')}
      />
      <RunButton
        command="back"
        label="Back"
        icon={IconArrowBackUp}
        hint="Look at the step before; nothing is undone"
        available={can('back')}
      />
      <RunButton command="stop" label="Stop" icon={IconPlayerStop} hint="Stop for good" available={can('stop')} />
    </div>
  );
}
