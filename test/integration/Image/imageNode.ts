import { chosen } from '../engine/chosen';
import { oneNode, type WorkflowJson } from '../engine/runWorkflow';

export const GENERATE = 'POST /v1/images/generations';
/** Path of the emulator's image files. */
export const FILES = 'GET /__emulator/files/images/*';

/** A workflow with one Image node that generates the `prompt` of each item in the smallest size. */
export function imageNode(parameters: object = {}, settings: object = {}): WorkflowJson {
	return oneNode(
		'image',
		{
			operation: 'generate',
			model: chosen('image-2'),
			prompt: '={{ $json.prompt }}',
			size: '512',
			...parameters,
		},
		settings,
	);
}
