import {
  type CallToolResult,
  type ContentBlock,
  type GetPromptResult,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** The tools, resources and prompts that the conformance suites require of a server. */

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (content: string): ContentBlock => ({ type: 'text', text: content });
const image: ContentBlock = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, content: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: content },
});

const tools: Record<string, CallToolResult> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  },
  json_schema_2020_12_tool: { content: [text('ok')] },
};

/** Tools that do more than return a fixed result. */
const dynamicTools: Record<string, (caller: ServerContext) => unknown> = {
  test_missing_capability() {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_streaming_elicitation: () =>
    inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: 'What is your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
        }),
      },
    }),
  // Sends log messages on request, which our service never does.
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'Working');
    return { content: [text('Logged, if asked to.')] };
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [0, 50, 100])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        });
    return { content: [text('Done.')] };
  },
};

const fullSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
  allOf: [{ anyOf: [{ required: ['name'] }, { required: ['address'] }] }],
  if: { required: ['name'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { name: { type: 'string', minLength: 1 } } },
  else: { required: ['address'] },
};

const user = (...content: ContentBlock[]): GetPromptResult => ({
  messages: content.map((block) => ({ role: 'user', content: block })),
});

const prompts: Record<
  string,
  { argumentNames: string[]; get(args: Record<string, string>): GetPromptResult }
> = {
  test_simple_prompt: { argumentNames: [], get: () => user(text('This is a simple prompt for testing.')) },
  test_prompt_with_arguments: {
    argumentNames: ['arg1', 'arg2'],
    get: ({ arg1, arg2 }) => user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  test_prompt_with_embedded_resource: {
    argumentNames: ['resourceUri'],
    get: ({ resourceUri = '' }) =>
      user(
        resource(resourceUri, 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: {
    argumentNames: [],
    get: () => user(image, text('Please analyze the image above.')),
  },
};

function read(uri: string): ReadResourceResult {
  const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
  const content = id
    ? {
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
      }
    : uri === 'test://static-text'
      ? { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
      : uri === 'test://static-binary'
        ? { mimeType: 'image/png', blob: PNG }
        : null;
  if (!content) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, ...content }], ttlMs: 1000, cacheScope: 'public' };
}

const missing = (kind: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${kind}.`);

export function createFixtureServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1' },
    { capabilities: { tools: { listChanged: false }, prompts: {}, resources: {}, completions: {} } },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys({ ...tools, ...dynamicTools }).map((name) => ({
      name,
      description: name,
      inputSchema: name === 'json_schema_2020_12_tool' ? fullSchema : { type: 'object' as const },
    })),
  }));
  server.setRequestHandler('tools/call', ({ params: { name } }, caller) => {
    const result = tools[name] ?? (dynamicTools[name]?.(caller) as CallToolResult | undefined);
    if (!result) throw missing('such tool');
    return result;
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(prompts).map(([name, { argumentNames }]) => ({
      name,
      description: name,
      arguments: argumentNames.map((argument) => ({ name: argument, description: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = prompts[params.name];
    if (!prompt) throw missing('such prompt');
    return prompt.get(params.arguments ?? {});
  });
  server.setRequestHandler('resources/list', () => ({
    resources: ['test://static-text', 'test://static-binary'].map((uri) => ({
      uri,
      name: uri,
      description: uri,
    })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', description: 'data' }],
  }));
  server.setRequestHandler('completion/complete', ({ params: { argument } }) => ({
    completion: { values: ['paris', 'park'].filter((value) => value.startsWith(argument.value)) },
  }));
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri));
  return server;
}
