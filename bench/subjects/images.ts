import type { Subject } from '../measure';
import { bareNode, httpRequestNode, openAiNode, ourNode, picked } from '../task';

const PATH = '/v1/images/generations';
/** The route that all subjects use. */
export const GENERATE = `POST ${PATH}`;

/** Images with our node. @param parallelRequests undefined for as many as the gateway can handle */
export const ourImages = (parallelRequests?: number): Subject => ({
	name: 'Unified AI Image',
	node: () =>
		ourNode('image', {
			operation: 'generate',
			model: picked('image-2'),
			prompt: '={{ $json.prompt }}',
			size: '512',
			downloadImages: true,
			binaryPropertyName: 'data',
			simplify: true,
			limits: { parallelRequests },
		}),
});

/** Images with a bare loop over n8n's helpers. */
export const bareImages = (concurrency: number): Subject => ({
	name: 'Bare helper loop',
	node: (gateway) => bareNode(gateway, PATH, 'imageFile', concurrency),
});

/** Images with n8n's OpenAI node, one at a time. */
export const openAiImages: Subject = {
	name: "n8n's OpenAI node",
	node: () =>
		openAiNode({
			resource: 'image',
			operation: 'generate',
			model: 'image-2',
			prompt: '={{ $json.prompt }}',
			options: { returnImageUrls: false },
		}),
	// The node sends a size only for OpenAI's own models.
	extraBody: { size: '512' },
};

/** Images with n8n's HTTP Request node, all at once. */
export const httpRequestImages: Subject = {
	name: 'HTTP Request node, base64 left in the item',
	node: (gateway) =>
		httpRequestNode(
			gateway,
			PATH,
			'={{ JSON.stringify({ model: "image-2", prompt: $json.prompt, size: "512" }) }}',
		),
};
