import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Post, Put, Query, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { effectivePolicy, parseNamespacePolicy } from '@reprise/config';
import { purgeRequestSchema, quarantineRequestSchema, revokeKeyRequestSchema } from '@reprise/contracts';
import { RepriseError } from '@reprise/kernel';
import { liveReport, type LiveReport, type PurgeReply } from '@reprise/semantic-cache';
import type { FastifyRequest } from 'fastify';
import { RUNTIME, type Runtime } from '@reprise/nest';
import { parseBody } from '../http/json-body.js';
import { adminTokenHash, assertAdmin } from './admin-token.js';
import { type DecisionRecord, guardOf } from './explain-guard.js';
import { filterOf, purgeNamespace, purgeTenant, type TenantPurge } from './purges.js';

/** Lets only the admin token through. */
class AdminGuard implements CanActivate {
  private readonly hash: string;

  constructor(@Inject(RUNTIME) services: Runtime) {
    this.hash = adminTokenHash(services.config, (file) => services.log.write('info', 'admin token made', { file }));
  }

  canActivate(context: ExecutionContext): boolean {
    assertAdmin(context.switchToHttp().getRequest<FastifyRequest>().headers, this.hash);
    return true;
  }
}

/** /admin/api: operations on namespaces; each is in force on all replicas when it answers. */
@Controller('admin/api')
@UseGuards(AdminGuard)
export class AdminController {
  constructor(@Inject(RUNTIME) private readonly services: Runtime) {}

  @Get('namespaces')
  async namespaces(): Promise<{ namespaces: readonly string[] }> {
    return { namespaces: await this.services.admin.namespaces() };
  }

  /** What the catalog knows of namespaces, tenants and price cards. */
  @Get('catalog/:kind')
  async catalog(
    @Param('kind') kind: string,
    @Query('offset') offset = '0',
    @Query('limit') limit = '50',
  ): Promise<unknown> {
    if (kind !== 'namespaces' && kind !== 'tenants' && kind !== 'prices')
      throw new RepriseError('RP_ERR_NOT_FOUND', kind);
    const catalog = await this.services.catalog();
    const page = await catalog[kind].list({ offset: whole(offset, 0, 1e9), limit: whole(limit, 1, 500) });
    if (!page.ok) throw new RepriseError('RP_ERR_CACHE_UNAVAILABLE');
    return page.value;
  }

  /** What the cache does for a namespace, measured; `?namespace=`, or the only one there is; with several the error names them. */
  @Get('report')
  async report(@Query('namespace') given?: string): Promise<LiveReport> {
    const { admin, risk, config } = this.services;
    const names = await admin.namespaces();
    const ns = given ?? (names.length === 1 ? names[0] : undefined);
    if (ns === undefined) {
      const some = names.slice(0, 20).join(', ') || 'none yet';
      throw new RepriseError('RP_ERR_BAD_REQUEST', `Name one of ${names.length} namespaces: ${some}.`, 'namespace');
    }
    if (!names.includes(ns)) throw new RepriseError('RP_ERR_NOT_FOUND', 'namespace');
    return liveReport({ admin, risk }, config.judge, ns);
  }

  @Get('namespaces/:ns/stats')
  stats(@Param('ns') ns: string): Promise<Readonly<Record<string, number>>> {
    return this.services.admin.stats(ns);
  }

  @Get('namespaces/:ns/entries')
  async entries(@Param('ns') ns: string, @Query('offset') offset = '0', @Query('limit') limit = '50') {
    return { entries: await this.services.admin.entries(ns, whole(offset, 0, 1e9), whole(limit, 1, 500)) };
  }

  @Get('namespaces/:ns/check')
  async check(@Param('ns') ns: string): Promise<{ problems: readonly string[] }> {
    return { problems: await this.services.admin.check(ns, this.services.clock.nowMs()) };
  }

  @Get('namespaces/:ns/explain/:requestId')
  async explain(@Param('ns') ns: string, @Param('requestId') requestId: string): Promise<unknown> {
    const known = isId(requestId) ? await this.services.decisions.read(ns, requestId) : undefined;
    if (known === undefined) throw new RepriseError('RP_ERR_NOT_FOUND', 'request id');
    const served = known.served ?? null;
    if (known.record === undefined) return { served, decision: { reason: 'equal-request' }, guard: null };
    const decision = JSON.parse(known.record) as DecisionRecord;
    return { served, decision, guard: guardOf(decision, effectivePolicy(this.services.config)) };
  }

  @Put('namespaces/:ns/policy')
  async setPolicy(@Param('ns') ns: string, @Body() body: unknown): Promise<{ version: number }> {
    const text = Buffer.isBuffer(body) ? body.toString('utf8') : '';
    const parsed = parseNamespacePolicy(text, effectivePolicy(this.services.config));
    if (!parsed.ok) {
      throw new RepriseError('RP_ERR_BAD_REQUEST', parsed.error.map(({ path, rule }) => `${path}: ${rule}`).join('; '));
    }
    return { version: await this.services.admin.setPolicy(ns, text) };
  }

  @Post('namespaces/:ns/purge')
  @HttpCode(200)
  async purge(@Param('ns') ns: string, @Body() raw: unknown): Promise<PurgeReply> {
    const body = parseBody(purgeRequestSchema, raw);
    return purgeNamespace(this.services, ns, filterOf(body), body.dry_run);
  }

  /** The same in all namespaces of a tenant, its sub-spaces and the spaces of its keys too. */
  @Post('tenants/:tenant/purge')
  @HttpCode(200)
  async purgeTenant(@Param('tenant') tenant: string, @Body() raw: unknown): Promise<TenantPurge> {
    const body = parseBody(purgeRequestSchema, raw);
    return purgeTenant(this.services, tenant, filterOf(body), body.dry_run);
  }

  @Post('namespaces/:ns/quarantine')
  @HttpCode(200)
  async quarantine(@Param('ns') ns: string, @Body() raw: unknown): Promise<{ quarantined: true }> {
    const body = parseBody(quarantineRequestSchema, raw);
    const known = await this.services.admin.quarantine(ns, body.entry_id, body.reason, this.services.clock.nowMs());
    if (!known) throw new RepriseError('RP_ERR_NOT_FOUND', 'entry_id');
    return { quarantined: true };
  }

  @Post('namespaces/:ns/pause')
  @HttpCode(200)
  async pause(@Param('ns') ns: string): Promise<{ paused: true }> {
    await this.services.admin.pause(ns, true);
    return { paused: true };
  }

  @Delete('namespaces/:ns/pause')
  async resume(@Param('ns') ns: string): Promise<{ paused: false }> {
    await this.services.admin.pause(ns, false);
    return { paused: false };
  }

  @Post('keys/revoke')
  @HttpCode(200)
  async revoke(@Body() raw: unknown): Promise<{ revoked: boolean }> {
    const body = parseBody(revokeKeyRequestSchema, raw);
    await this.services.access.setRevoked(body.key_sha256, body.revoked);
    return { revoked: body.revoked };
  }
}

/** What a request may be called; the store refuses anything else. */
const isId = (text: string): boolean => /^[\x21-\x7e]{1,200}$/.test(text);

function whole(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RepriseError('RP_ERR_BAD_REQUEST', `expected a whole number from ${min} to ${max}.`);
  }
  return value;
}
