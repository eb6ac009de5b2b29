import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/api.ts';
import { apiErrors } from '#contract/errors.ts';
import { openApiDocument } from '#server/http/openapi.ts';

type Operation = {
  operationId: string;
  parameters: { name: string; in: string; schema: unknown }[];
  responses: Record<string, { description: string }>;
  requestBody?: unknown;
};
const paths = openApiDocument().paths as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
  Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })),
);

test('Every path of the contract is described, and no other', () => {
  const described = Object.keys(paths);
  const promised = [...new Set(calls.map(({ path }) => path))];
  expect(described.toSorted()).toEqual(promised.toSorted());
});

test('No call is described twice and every operation has a unique name', () => {
  const routes = calls.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(routes).size).toBe(routes.length);
  expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  expect(operations).toHaveLength(calls.length);
});

test('Every part of a path is a parameter, and every parameter has a schema', () => {
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const described = operation.parameters.filter((parameter) => parameter.in === 'path');
    expect(described.map(({ name }) => name)).toEqual(named);
    for (const parameter of operation.parameters) expect(parameter.schema).toBeTypeOf('object');
  }
});

test('Every reference has a target', () => {
  const document = openApiDocument();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path);
  expect(references.length).toBeGreaterThan(0);
  for (const reference of new Set(references)) {
    const target = (reference ?? '')
      .split('/')
      .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
    expect(target, reference).toBeTypeOf('object');
  }
});

test('Every error is listed under the status of its code', () => {
  for (const { operation } of operations) {
    for (const [status, { description }] of Object.entries(operation.responses)) {
      if (status.startsWith('2')) continue;
      for (const code of description.split(', ')) {
        expect(apiErrors[code as keyof typeof apiErrors].status).toBe(Number(status));
      }
    }
  }
});

test('The document is plain JSON of version 3.1', () => {
  const document = openApiDocument();
  expect(document.openapi).toBe('3.1.0');
  expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  expect(z.json().safeParse(document).success).toBe(true);
});

test('The document breaks none of the recommended rules of a linter for OpenAPI', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gangway-openapi-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(openApiDocument()));
  const problems = await lint(file);
  await rm(folder, { recursive: true });
  // Its warnings require what not every call has, such as a 4xx response.
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

type Problem = { ruleId: string; severity: string; message: string };

async function lint(file: string): Promise<Problem[]> {
  const command = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const options = ['--extends', 'recommended', '--format', 'json', '--lint-config', 'off'];
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const running = promisify(execFile)(process.execPath, [command, 'lint', file, ...options], { env });
  // It exits with 1 where there are errors.
  const { stdout } = await running.catch((failed: { stdout: string }) => failed);
  return (JSON.parse(stdout) as { problems: Problem[] }).problems;
}
