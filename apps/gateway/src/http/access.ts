import { RepriseError } from '@reprise/kernel';
import { Deadline } from '@reprise/semantic-cache';
import { Inject, Injectable } from '@nestjs/common';
import { RUNTIME, type Runtime } from '@reprise/nest';

/** Remembers revocations that any route has seen, for the time that Redis cannot be asked. */
@Injectable()
export class RevocationCheck {
  private readonly seen = new Set<string>();
  private readonly services: Runtime;

  constructor(@Inject(RUNTIME) services: Runtime) {
    this.services = services;
  }

  /** Throws RP_ERR_KEY_REVOKED. While the store cannot be asked, keys last seen revoked stay refused. */
  async assertLive(keyHash: string): Promise<void> {
    const { access, clock, config, telemetry } = this.services;
    let revoked: boolean;
    try {
      revoked = await new Deadline(clock, config.limits.addedLatencyMs).within(access.isRevoked(keyHash));
      if (revoked) this.seen.add(keyHash);
      else this.seen.delete(keyHash);
    } catch {
      telemetry.count('reprise_degraded_total', { mode: 'access-unavailable' });
      revoked = this.seen.has(keyHash);
    }
    if (revoked) throw new RepriseError('RP_ERR_KEY_REVOKED');
  }
}
