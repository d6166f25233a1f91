import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { wholeOf } from '#renderer/ui/values/value-difference.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import { AnswerCard } from './answer-card.tsx';
import { ApprovalCard } from './approval-card.tsx';
import type { CardProps } from './card-props.ts';
import styles from './choice-card.module.css';
import { ChoiceCard } from './choice-card.tsx';
import { InputFields } from './input-fields.tsx';
import { questionOf } from './questions.ts';
import { texts } from './texts.ts';
import { UnknownOutcomeCard } from './unknown-outcome-card.tsx';

/** The card for a question, by its type. */
export function SuspensionCard(props: CardProps) {
  const question = questionOf(props.suspension);
  switch (question.type) {
    case 'approval':
      return <ApprovalCard {...props} question={question} />;
    case 'choice':
      return <ChoiceCard {...props} question={question} />;
    case 'unknown_outcome':
      return <UnknownOutcomeCard {...props} question={question} />;
    case 'question':
      return (
        <AnswerCard {...props} schema={question.schema}>
          <p className={styles.question}>
            <VisibleText text={question.question} />
          </p>
        </AnswerCard>
      );
    case 'decision':
      return (
        <AnswerCard {...props} schema={question.schema} state={question.state}>
          <InputFields input={question.state} except={[]} />
        </AnswerCard>
      );
    case 'other':
      return (
        <AnswerCard {...props} schema={question.schema}>
          <ValueTree label={texts.card.value} difference={wholeOf('same', question.value)} />
        </AnswerCard>
      );
  }
}
