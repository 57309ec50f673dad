import { type DynamicModule, Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { RUNTIME, type Runtime } from './runtime.js';

/** Makes the runtime injectable, and closes it last. */
@Module({})
export class RuntimeModule implements OnApplicationShutdown {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  static forRoot(runtime: Runtime): DynamicModule {
    return {
      module: RuntimeModule,
      global: true,
      providers: [{ provide: RUNTIME, useValue: runtime }],
      exports: [RUNTIME],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.runtime.close();
  }
}
