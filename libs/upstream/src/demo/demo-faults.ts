import type { CapturedAnswer } from '../capture/captured-answer.js';

/** Ways in which a demo with faults allowed misbehaves, each asked for by the model name `demo-fault-<kind>`. */
export const DEMO_FAULTS = [
  'status-400',
  'status-429',
  'status-500',
  'status-503',
  'error-200',
  'error-event',
  'no-choices',
  'empty',
  'refusal',
  'content-filter',
  'length',
  'bad-arguments',
  'broken-stream',
  'no-done',
  'hang',
] as const;

export type DemoFault = (typeof DEMO_FAULTS)[number];

const PREFIX = 'demo-fault-';

export function faultOf(model: string): DemoFault | undefined {
  return model.startsWith(PREFIX) ? DEMO_FAULTS.find((fault) => fault === model.slice(PREFIX.length)) : undefined;
}

/** The answer with the fault in it; faults of the transport leave it as it is. */
export function spoilAnswer(answer: CapturedAnswer, fault: DemoFault | undefined): CapturedAnswer {
  const { message } = answer;
  switch (fault) {
    case 'empty':
      return { ...answer, message: { role: 'assistant', content: '' } };
    case 'refusal':
      return { ...answer, message: { role: 'assistant', content: null, refusal: 'I will not answer that.' } };
    case 'content-filter':
      return { ...answer, finishReason: 'content_filter' };
    case 'length':
      return { ...answer, finishReason: 'length' };
    case 'bad-arguments': {
      const call = { id: 'call_demobad', type: 'function', function: { name: 'look_up', arguments: '{"order": ' } };
      return { ...answer, message: { ...message, content: null, tool_calls: [call] }, finishReason: 'tool_calls' };
    }
    default:
      return answer;
  }
}
