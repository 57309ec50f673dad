import { describe, expect, it } from 'vitest';
import { spacesOf } from './purges.js';

describe('spacesOf', () => {
  const names = [
    'acme:team',
    'acme:h-0123456789abcdef01234567',
    'acme',
    'acme.0123456789ab',
    'acme.0123456789ab:a.b',
    'acme.0123456789ab:notes~memory',
    'acme~memory',
    'acme-two',
    'acme_two:acme',
    'acmex',
    'xacme:acme',
    'global:acme',
  ];

  it('are the own space of a tenant, those of its keys, and their sub-spaces, each once', () => {
    expect(spacesOf('acme', names)).toEqual([
      'acme',
      'acme.0123456789ab',
      'acme.0123456789ab:a.b',
      'acme.0123456789ab:notes',
      'acme:h-0123456789abcdef01234567',
      'acme:team',
    ]);
  });

  it('are none of a tenant that is not there', () => {
    for (const tenant of ['acm', '', 'team', 'ACME']) expect(spacesOf(tenant, names)).toEqual([]);
  });
});
