import { webSearchTool, Agent, AgentInputItem, RunContext, Runner, withTrace } from "@openai/agents";
import { z } from "zod";

// Tool definitions
const webSearchPreview = webSearchTool({
  searchContextSize: "medium",
  userLocation: { type: "approximate" }
})
const ClassifySchema = z.object({ category: z.enum(["return_item", "cancel", "get_information"]), urgent: z.boolean().optional() });
const classify = new Agent({
  name: "Classify",
  instructions: "Sort the message into one of the categories.",
  model: "gpt-4.1-mini",
  outputType: ClassifySchema,
  modelSettings: {
    temperature: 0,
    topP: 1,
    maxTokens: 256,
    store: true
  }
});

const returnDesk = new Agent({
  name: "Return desk",
  instructions: "Offer a replacement. Answer in {one} sentence.",
  model: "gpt-4.1",
  modelSettings: { temperature: 1, topP: 1, maxTokens: 2048, store: true }
});

interface RetentionContext {
  statePlan: string;
}
const retentionInstructions = (runContext: RunContext<RetentionContext>, _agent: Agent<RetentionContext>) => {
  const { statePlan } = runContext.context;
  return `The customer has the plan ${statePlan}. Ask why they leave.`
}
const retention = new Agent({
  name: "Retention",
  instructions: retentionInstructions,
  model: "gpt-5",
  tools: [webSearchPreview],
  modelSettings: { reasoning: { effort: "low" }, store: true }
});

const approvalRequest = (message: string) => {

  // TODO: Implement
  return true;
}

type WorkflowInput = { input_as_text: string };


// Main code entrypoint
export const runWorkflow = async (workflow: WorkflowInput) => {
  return await withTrace("Customer service", async () => {
    const state = {
      plan: "basic",
      rounds: 0
    };
    const conversationHistory: AgentInputItem[] = [
      { role: "user", content: [{ type: "input_text", text: workflow.input_as_text }] }
    ];
    const runner = new Runner({
      traceMetadata: {
        __trace_source__: "agent-builder",
        workflow_id: "wf_0123456789abcdef"
      }
    });
    const classifyResultTemp = await runner.run(
      classify,
      [
        ...conversationHistory
      ]
    );
    conversationHistory.push(...classifyResultTemp.newItems.map((item) => item.rawItem));

    if (!classifyResultTemp.finalOutput) {
        throw new Error("Agent result is undefined");
    }

    const classifyResult = {
      output_text: JSON.stringify(classifyResultTemp.finalOutput),
      output_parsed: classifyResultTemp.finalOutput
    };
    if (classifyResult.output_parsed.category == "return_item") {
      const returnDeskResultTemp = await runner.run(
        returnDesk,
        [
          ...conversationHistory
        ]
      );
      conversationHistory.push(...returnDeskResultTemp.newItems.map((item) => item.rawItem));

      if (!returnDeskResultTemp.finalOutput) {
          throw new Error("Agent result is undefined");
      }

      const returnDeskResult = {
        output_text: returnDeskResultTemp.finalOutput ?? ""
      };
      const approvalMessage = "Does this work for you?";

      if (approvalRequest(approvalMessage)) {
          const endResult = {
            message: "Your return is on the way."
          };
          return endResult;
      } else {
          return { message: "What else can I do?" };
      }
    } else if (classifyResult.output_parsed.category == "cancel") {
      while (state.rounds < 2) {
        const retentionResultTemp = await runner.run(
          retention,
          [
            ...conversationHistory
          ],
          {
            context: {
              statePlan: state.plan
            }
          }
        );
        conversationHistory.push(...retentionResultTemp.newItems.map((item) => item.rawItem));

        if (!retentionResultTemp.finalOutput) {
            throw new Error("Agent result is undefined");
        }
        state.rounds = state.rounds + 1;
      }
      return { rounds: state.rounds, said: conversationHistory.length };
    } else {
      const answer = await fetch("https://example.com/help");
      return answer;
    }
  });
}
