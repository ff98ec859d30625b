import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import { UserError } from 'n8n-workflow';
import { oneNode, runWorkflow } from './runWorkflow';
import { useEmulator } from './useEmulator';

const gateway = useEmulator(4e7);
afterEach(() => jest.restoreAllMocks());

const fullDisk = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
const tooLarge = new UserError('File is larger than the limit of 512 MB');

it.each([
	['its disk is full', fullDisk],
	['File is larger than the limit of 512 MB', tooLarge],
])('A file that n8n cannot save (%s) is reported in words, and not paid for twice', async (why, failure) => {
	jest.spyOn(Container.get(BinaryDataService), 'store').mockImplementation(async (_location, content) => {
		if (!Buffer.isBuffer(content)) content.resume();
		return await Promise.reject(failure);
	});
	const chosen = (value: string) => ({ __rl: true, mode: 'id', value });
	const speech = {
		operation: 'create',
		model: chosen('svc-tts'),
		text: 'Good morning.',
		voice: chosen('Anders'),
	};
	const { error } = await runWorkflow(oneNode('speech', speech), { credential: gateway.credential() });
	expect(error?.message).toContain(`n8n could not save the file (${why})`);
	expect(error?.description).toContain('Free up space');
	expect(gateway.emulator.journal.count('POST /v1/audio/speech')).toBe(1);
});
