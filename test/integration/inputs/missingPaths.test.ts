import type { IBinaryData } from 'n8n-workflow';
import { UnifiedAiGatewayApi } from '../../../credentials/UnifiedAiGatewayApi.credentials';
import { chosen } from '../engine/chosen';
import { nodeTypes, oneNode, runWorkflow } from '../engine/runWorkflow';
import { useEmulator } from '../engine/useEmulator';
import { wav } from '../VoiceModel/voiceSamples';

const gateway = useEmulator();
const sample: IBinaryData = { data: wav().toString('base64'), mimeType: 'audio/wav', fileName: 'sample.wav' };
const SONG = { operation: 'generate', model: chosen('music-v5'), prompt: 'Rain' };
const TASK = { operation: 'get', taskId: 'one' };
const VOICE = {
	operation: 'create',
	name: 'Voice',
	public: true,
	samples: { sample: ['one', 'two'].map((name) => ({ binaryPropertyName: name, transcript: 'A text.' })) },
};

const { properties: credentialFields } = new UnifiedAiGatewayApi();

/** Every path that has an alternative, and the setting that leads to it. */
const PATHS: Array<[path: string, setting: string, node: string, parameters: object]> = [
	['POST /v1/music/generations', 'Music Submit Path', 'music', SONG],
	['GET /v1/music/tasks/*', 'Music Query Path', 'music', TASK],
	['POST /v1/voice/model', 'Voice Create Path', 'voiceModel', VOICE],
	[
		'POST /v1beta/models/*',
		'Stream',
		'chat',
		{ operation: 'generateContent', model: chosen('aurora-4'), prompt: 'Hi', options: { stream: true } },
	],
];

const answers: Array<[string, object]> = [
	[
		'an error',
		{
			kind: 'status',
			status: 404,
			body: { error: { message: 'Invalid URL', type: 'invalid_request_error' } },
		},
	],
	['a web page', { kind: 'html', status: 404 }],
	['nothing', { kind: 'empty', status: 405 }],
];

describe.each(PATHS)('A gateway without %s', (path, setting, node, parameters) => {
	it.each(answers)('leads to the setting for another one, with %s', async (_what, fault) => {
		gateway.fail(path, { ...fault, times: 'always' } as never);
		const { error } = await runWorkflow(oneNode(node, { ...parameters }), {
			credential: gateway.credential(),
			input: [{ json: {}, binary: { one: sample, two: sample } }],
		});
		expect(error?.description).toMatch(new RegExp(`\\b${setting}\\b.* in (Options|the credential)\\.$`));
		const { properties } = nodeTypes[`n8n-nodes-unified-ai-gateway.${node}`].description;
		expect(JSON.stringify([properties, credentialFields])).toContain(`"displayName":"${setting}"`);
		expect(gateway.emulator.journal.count()).toBe(1);
	});
});

it('A model that the gateway does not have says nothing about paths', async () => {
	const body = { error: { message: 'No such model', code: 'model_not_found' } };
	gateway.fail('POST /v1/music/generations', { kind: 'status', status: 404, body });
	const { error } = await runWorkflow(oneNode('music', SONG), { credential: gateway.credential() });
	expect(error?.description).toContain('Select the model');
	expect(error?.description).not.toContain('Submit Path');
});
