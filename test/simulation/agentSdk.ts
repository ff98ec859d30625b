/** What the sub-node of an agent needs of n8n's SDK, which comes with n8n. */
export class BaseChatModel {
	tools = [];
}
export const supplyModel = (_context: object, model: object) => ({ response: model });
export const getParametersJsonSchema = () => ({});
