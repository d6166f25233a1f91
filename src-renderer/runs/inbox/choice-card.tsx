import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import type { CardProps } from './card-props.ts';
import styles from './choice-card.module.css';
import { DecidingButton } from './deciding-button.tsx';
import type { Question } from './questions.ts';
import { texts } from './texts.ts';
import { useAnswer } from './use-answer.ts';
import { WaitingCard } from './waiting-card.tsx';

type ChoiceCardProps = CardProps & { readonly question: Extract<Question, { type: 'choice' }> };

/** A question with its possible answers as buttons. */
export function ChoiceCard({ run_id, suspension, question, frame }: ChoiceCardProps) {
  const { busy, failure, answer } = useAnswer(run_id, suspension);
  return (
    <WaitingCard
      {...frame}
      failure={failure}
      actions={question.choices.map((choice, index) => (
        <DecidingButton
          // biome-ignore lint/suspicious/noArrayIndexKey: two choices may read alike
          key={index}
          variant={index === 0 ? 'filled' : 'default'}
          disabled={busy}
          onDecide={() => answer(choice, texts.answer.answered(choice))}
        >
          <VisibleText text={choice} />
        </DecidingButton>
      ))}
    >
      <p className={styles.question}>
        <VisibleText text={question.question} />
      </p>
    </WaitingCard>
  );
}
