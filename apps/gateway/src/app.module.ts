import { type DynamicModule, Module } from '@nestjs/common';
import { type Runtime, RuntimeModule } from '@reprise/nest';
import { AdminController } from './admin/admin.controller.js';
import { ChatController } from './chat/chat.controller.js';
import { MissService } from './chat/miss.service.js';
import { EmbeddingsController } from './embeddings/embeddings.controller.js';
import { FeedbackController } from './feedback/feedback.controller.js';
import { HealthController } from './health/health.controller.js';
import { RevocationCheck } from './http/access.js';
import { MemoryController } from './memory/memory.controller.js';
import { ProxyController } from './proxy/proxy.controller.js';
import { ProxyService } from './proxy/proxy.service.js';

@Module({})
export class AppModule {
  static forRoot(runtime: Runtime): DynamicModule {
    return {
      module: AppModule,
      imports: [RuntimeModule.forRoot(runtime)],
      // The proxy's wildcard comes last: routes are matched in this order.
      controllers: [
        ChatController,
        EmbeddingsController,
        FeedbackController,
        MemoryController,
        HealthController,
        AdminController,
        ProxyController,
      ],
      providers: [MissService, ProxyService, RevocationCheck],
    };
  }
}
