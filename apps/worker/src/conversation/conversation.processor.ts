import { Processor } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { type JobHandlers, type JobPayload, type RunAgain, workerOptions } from '@reprise/queues';
import { closeConversations } from '@reprise/semantic-cache';
import { TableProcessor } from '../jobs/table-processor.js';

type Close = JobPayload<'conversation', 'conversation-close'>;

/** Closes conversations that are idle; comes again for those that are not. */
@Processor('conversation', workerOptions('conversation'))
export class ConversationProcessor extends TableProcessor<'conversation'> {
  readonly queue = 'conversation';
  readonly handlers: JobHandlers<'conversation'> = { 'conversation-close': (payload) => this.close(payload) };

  constructor(@Inject(RUNTIME) runtime: Runtime) {
    super(runtime);
  }

  private async close({ conversations }: Close): Promise<RunAgain<Close> | undefined> {
    const again = await closeConversations(this.runtime, conversations);
    return again && { payload: { conversations: [...again.conversations] }, atMs: again.atMs };
  }
}
