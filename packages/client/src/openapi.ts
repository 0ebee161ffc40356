// Made by `npm run generate -w @waystation/client`. A test fails if it is out of date.

import type { ChunkOf, MessageOf } from "./message.ts";
type Shapes = {
    metadata: components["schemas"]["MessageMetadata"];
    outOfBand: components["schemas"]["OutOfBand"];
    delivery: components["schemas"]["MessageDelivery"];
};
export interface paths {
    "/api/plugins/sessions/operations/create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a session, attach to it, or revive a deleted one */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete a session with its messages, calls, keys and tokens */
        post: operations["deleteSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions, most recently active first */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a session, its last 50 messages and its pending calls */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Rename a session */
        patch: operations["renameSession"];
        trace?: never;
    };
    "/api/sessions/{sessionId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Mark a session as read up to a message, for this member or API key */
        post: operations["markRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/revision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Pin a session to an agent revision, or unpin it (`null`) */
        put: operations["pinRevision"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/speaker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Hand a session off to another chat agent, or back */
        put: operations["handSession"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/overlay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Set a session's overlay of tools and skills, or remove it */
        put: operations["layOverlay"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message; `whenBusy` sets what happens while the agent works */
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/messages/{itemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a queued message */
        delete: operations["removeMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the running turn, or ask an external agent to stop; calls stay open unless `calls` is true */
        post: operations["cancelTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retry a failed turn now */
        post: operations["retryTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/turns/{messageId}/rerun": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a turn again, optionally edited; later turns are removed */
        post: operations["rerunTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/turns/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a turn's answer, calls, tokens, cost and time */
        get: operations["getTurnResult"];
        put?: never;
        post?: never;
        /** Delete a turn from the conversation and the model's context */
        delete: operations["removeTurn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/turns/{messageId}/branch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a conversation through this turn into a new session */
        post: operations["branchSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a session's events, newest first, with their sizes */
        get: operations["listLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the model's context: the newest entries and all sizes */
        get: operations["getContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a session's deliveries and their attempts, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a session as JSON Lines; `events` adds the event log */
        get: operations["exportSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stream a session's events after a cursor (Server-Sent Events) */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List sessions, most recently active first (input in the body) */
        post: operations["sessionsList"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/get": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get a session, its last 50 messages and its pending calls (input in the body) */
        post: operations["sessionsGet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rename a session (input in the body) */
        post: operations["sessionsRename"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message; `whenBusy` sets what happens while the agent works (input in the body) */
        post: operations["sessionsSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the running turn, or ask an external agent to stop; calls stay open unless `calls` is true (input in the body) */
        post: operations["sessionsCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** List a session's events, newest first, with their sizes (input in the body) */
        post: operations["sessionsEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/calls/{toolCallId}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a pending call; repeating the answer returns the same receipt */
        post: operations["answerCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/calls/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve or decline up to 50 pending calls, each as by itself */
        post: operations["answerCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/calls/{toolCallId}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare an agent's proposed configuration with the published one */
        post: operations["reviewProposal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/calls/{toolCallId}/extend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Extend a pending call `until` a time or to `seconds` from now */
        post: operations["extendCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/calls/{toolCallId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a pending call; repeating the request returns the same receipt */
        post: operations["cancelCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/calls/{toolCallId}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the link where an external system answers a pending call */
        get: operations["answerLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/calls/{capability}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer an external call with `{output}` or `{error}` */
        post: operations["answerExternalCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspace's pending calls, nearest deadline first, and held out-of-band messages */
        get: operations["listWaiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a file for a message; the body is the file */
        post: operations["uploadFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an attached file */
        get: operations["getFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/oob": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a session's newest out-of-band messages and their receipts */
        get: operations["listOutOfBand"];
        put?: never;
        /** Send an out-of-band message to the session's agent */
        post: operations["sendOutOfBand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/oob/{oobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an out-of-band message that the agent has not received */
        delete: operations["removeOutOfBand"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/oob/{oobId}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve an out-of-band message that is held for approval */
        post: operations["approveOutOfBand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/oob/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a session's out-of-band policy, and where each value comes from */
        get: operations["getOobPolicy"];
        /** Set a session's out-of-band policy; omitted fields are inherited */
        put: operations["setOobPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/out-of-band": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who sent out-of-band messages to whom in the last `hours` */
        get: operations["listOobEdges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/out-of-band/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspace's out-of-band messages and their receipts, newest first */
        get: operations["listOobMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/alarms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a session's pending alarms, next first */
        get: operations["listAlarms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/alarms/{alarmId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a pending alarm */
        delete: operations["cancelAlarm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/prompts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the prompts of each step, newest first, without their text */
        get: operations["listPrompts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/prompts/{promptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the complete prompt of one step */
        get: operations["getPrompt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/prompts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the prompt of the next step with a message, with the changes of plugins */
        post: operations["previewPrompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Run a turn's message on other revisions or models, in trial sessions */
        post: operations["compareTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/keep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn a trial into a session that lists show */
        post: operations["keepTrial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/test-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an agent's test sets */
        get: operations["listTestSets"];
        put?: never;
        /** Create a test set: messages to run on several revisions */
        post: operations["createTestSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/test-sets/{testSetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Replace the name and the messages of a test set */
        put: operations["saveTestSet"];
        post?: never;
        /** Delete a test set with its runs */
        delete: operations["deleteTestSet"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/test-sets/{testSetId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a message to a test set */
        post: operations["addTestMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/test-sets/{testSetId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the last 20 runs of a test set, newest first */
        get: operations["listTestRuns"];
        put?: never;
        /** Run all messages of a test set on one or two revisions, in trial sessions */
        post: operations["runTestSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/test-sets/{testSetId}/runs/{runId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a run of a test set with its results so far */
        get: operations["getTestRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/sub-agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a session's sub-agents and their pending calls */
        get: operations["listSubAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List approvals that are remembered in all sessions, newest first */
        get: operations["listGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an approval that is remembered in all sessions */
        delete: operations["revokeGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List approvals that are remembered in a session, newest first */
        get: operations["listSessionGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/grants/{grantId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an approval that is remembered in a session */
        delete: operations["revokeSessionGrant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post a chat from an AI SDK client and stream the response */
        post: operations["postChat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat/{sessionId}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Resume the stream of the running message; 204 if there is none */
        get: operations["resumeChat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your connections and those of the workspace and its sessions */
        get: operations["listConnections"];
        put?: never;
        /** Start connecting an account; the user continues at `url` */
        post: operations["beginConnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/calls/{toolCallId}/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of the account that a call asked for */
        get: operations["getConnectionOfCall"];
        put?: never;
        /** Start connecting the account that a call needs; with `again`, also after it ended without the account */
        post: operations["connectCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections/attempts/{attemptId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the state of a connection attempt */
        get: operations["getConnectAttempt"];
        put?: never;
        post?: never;
        /** Cancel a connection attempt; its call stays pending */
        delete: operations["dropConnectAttempt"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections/{connectionId}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke a connection locally, and at the provider if it supports revocation */
        post: operations["revokeConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connections/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke and delete a connection */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List integrations and the setup that each one still needs */
        get: operations["listIntegrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/integrations/{integration}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an integration's configuration, without its client secret */
        get: operations["getIntegration"];
        /** Save an integration, or override a built-in one */
        put: operations["saveIntegration"];
        post?: never;
        /** Delete a saved integration; its accounts must be connected again */
        delete: operations["removeIntegration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools/definition": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask an HTTP tool for its definition */
        post: operations["readHttpTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a signed test call to an HTTP tool, and return its response */
        post: operations["testHttpTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List MCP servers and their last check, and missing servers */
        get: operations["listMcpServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp-servers/{server}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an MCP server and the tools that it last listed */
        get: operations["getMcpServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp-servers/{server}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check an MCP server now, with your account or the workspace's */
        post: operations["checkMcpServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp-servers/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask an MCP server at an address for its name and tools, without an account and without saving it */
        post: operations["inspectMcpServer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp-servers/{server}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept the current definition of an MCP tool for every agent */
        post: operations["acceptMcpTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/hosted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspace's gRPC plugins and their states */
        get: operations["listHostedPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/hosted/{plugin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a gRPC plugin and its recent output */
        get: operations["getHostedPlugin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/hosted/{plugin}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Restart a gRPC plugin, even one that failed */
        post: operations["restartHostedPlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/protos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the `.proto` files of the gRPC plugin contract */
        get: operations["listProtos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read what the gRPC plugin at an address provides, without adding it */
        post: operations["inspectPlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a gRPC plugin by its address, as it was reviewed */
        post: operations["addPlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/added/{plugin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove an added plugin and its saved settings */
        delete: operations["removePlugin"];
        options?: never;
        head?: never;
        /** Change the address of an added plugin, or disable or enable it */
        patch: operations["changePlugin"];
        trace?: never;
    };
    "/api/plugins/added/{plugin}/inspect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read again what an added plugin provides */
        post: operations["inspectAddedPlugin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/added/{plugin}/accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Accept what an added plugin provides now */
        put: operations["acceptPlugin"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List each plugin's settings: fields, saved values and fixed values */
        get: operations["listPluginSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/settings/{plugin}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Save all settings of a plugin, which then registers again */
        put: operations["savePluginSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/settings/{plugin}/options/{field}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find options for a plugin setting at its `api_source` */
        get: operations["findSettingOptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the views that plugins add to the navigation */
        get: operations["listViews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}/views/{plugin}/{view}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Render a plugin's view; the plugin receives the query parameters */
        get: operations["renderView"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents */
        get: operations["listAgents"];
        put?: never;
        /** Create an agent */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent's published configuration */
        get: operations["getAgent"];
        /** Save a configuration as a new revision (`CONFLICT` if `revision` is stale) */
        put: operations["updateAgent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an agent's last 100 revisions, newest first */
        get: operations["listAgentRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/revisions/{revision}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one revision of an agent */
        get: operations["getAgentRevision"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/revisions/{revision}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish an earlier revision of an agent as a new revision */
        post: operations["restoreAgentRevision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an agent's draft, if there is one */
        get: operations["getAgentDraft"];
        /** Save an agent's draft (`CONFLICT` if `version` is stale) */
        put: operations["saveAgentDraft"];
        post?: never;
        /** Discard an agent's draft */
        delete: operations["discardAgentDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish an agent's draft (`CONFLICT` if `base` is stale) */
        post: operations["publishAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Compare two revisions of an agent, or a revision and the draft */
        get: operations["compareAgentRevisions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the built-in tools that agents can use */
        get: operations["listTools"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the in-process plugins that agents can use */
        get: operations["listPlugins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the catalog: tools, skills, the build kit and the workspace's own entries */
        get: operations["listCatalogue"];
        put?: never;
        /** Add a tool or a skill of the workspace to the catalog */
        post: operations["createCatalogueEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalogue/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a catalog entry */
        get: operations["getCatalogueEntry"];
        /** Save the next version of one of the workspace's own entries */
        put: operations["updateCatalogueEntry"];
        post?: never;
        /** Archive one of the workspace's own entries. Agents that use it keep it */
        delete: operations["archiveCatalogueEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post an external agent's reply as plain text */
        post: operations["receiveCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the task of a sub-agent's session with `{output}` (`CONFLICT` if it has ended) */
        post: operations["finishTask"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/external-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the conversations that an external agent knows, from its `checkUrl` */
        get: operations["listExternalSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/replies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Post an external agent's reply as JSON, with files */
        post: operations["postReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Upload a file for a reply of an external agent; the body is the file */
        post: operations["uploadReplyFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a file that was sent to an external agent, by its signed URL */
        get: operations["getSentFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask the people of a session for an approval, an answer, a form or a connection */
        post: operations["openExternalCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/calls/{toolCallId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a call that an external agent opened; with `wait`, as soon as it is settled */
        get: operations["getExternalCall"];
        put?: never;
        post?: never;
        /** Cancel an open call of an external agent */
        delete: operations["cancelExternalCall"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/calls/{toolCallId}/fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a request to a service with the account that a person connected for this call */
        post: operations["fetchWithAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/external/sessions/{sessionId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show what an external agent is doing; an empty `text` removes the line */
        post: operations["setAgentStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the callback link for the session's external agent; if `signed`, replies need a signature or a key */
        get: operations["callbackLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend a delivery that failed or that the receiver lost */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resend a message that the external agent did not accept */
        post: operations["resendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an agent's active signing secrets, without their values */
        get: operations["listSecrets"];
        put?: never;
        /** Create a signing secret (returned once); older secrets expire after `overlapSeconds` */
        post: operations["rotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{agentId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a signed test message to an external agent, and return its response */
        post: operations["testAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List audit entries, newest first, including those of deleted sessions */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/plugins/sessions/operations/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check what creating a session with this ID would do */
        get: operations["checkSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys, without their secrets */
        get: operations["listKeys"];
        put?: never;
        /** Create an API key; its `secret` is returned only once */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members and their roles */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/members/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List active invite links, without their secrets */
        get: operations["listInvites"];
        put?: never;
        /** Create an invite link for one person; `url` is returned only once */
        post: operations["createInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/members/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an unused invite link */
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a member's role; the last owner stays owner (`CONFLICT`) */
        put: operations["changeRole"];
        post?: never;
        /** Remove a member (owners only), or leave the workspace */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your active sign-ins, newest first */
        get: operations["listSignIns"];
        put?: never;
        post?: never;
        /** End all your sign-ins, or all others (`others=true`) */
        delete: operations["endSignIns"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-ins/{signInId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sign-ins */
        delete: operations["endSignIn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a session's active tokens, newest first, without their secrets */
        get: operations["listTokens"];
        put?: never;
        /** Create a session token for an end user; it is returned once */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a session token */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subjects/{subject}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export an end user's sessions as JSON Lines; `events` adds their logs */
        get: operations["exportSubject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/subjects/{subject}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete an end user's data; repeat until `remaining` is 0 */
        delete: operations["deleteSubject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /** Create a webhook; its signing secret is returned only once */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a webhook and withdraw its pending deliveries */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a webhook's signing secret; older secrets expire after `overlapSeconds` */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspace's deliveries and their attempts, newest first */
        get: operations["listAllDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the model providers of the workspace, without their keys */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/providers/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Save a model provider, in place of an earlier one with its name */
        put: operations["saveModelProvider"];
        post?: never;
        /** Remove a model provider and its keys */
        delete: operations["removeModelProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask a model for one word */
        post: operations["testModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the secrets of the workspace, without their values */
        get: operations["listWorkspaceSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/secrets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Save a secret, in place of an earlier one with its name */
        put: operations["saveWorkspaceSecret"];
        post?: never;
        /** Remove a secret */
        delete: operations["removeWorkspaceSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the workspace's settings and spending */
        get: operations["getWorkspace"];
        /** Update the workspace's settings; omitted settings stay unchanged */
        put: operations["updateWorkspace"];
        post?: never;
        /** Delete the workspace with all its data; `name` confirms it */
        delete: operations["deleteWorkspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the workspaces that the caller can enter */
        get: operations["listWorkspaces"];
        put?: never;
        /** Create a workspace; the caller becomes its owner */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/tool-rules/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Evaluate tool rules for a call, without saving the rules or running the call */
        post: operations["testToolRules"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workspace/link-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the link secret; links that were signed before stop working */
        post: operations["rotateLinkSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List wikis */
        get: operations["listWikis"];
        put?: never;
        /** Create an empty wiki */
        post: operations["createWiki"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a wiki and its tags */
        get: operations["getWiki"];
        put?: never;
        post?: never;
        /** Delete a wiki and its content */
        delete: operations["deleteWiki"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}/tiddlers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List tiddlers by search, tag or time, without their text */
        get: operations["listTiddlers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}/tiddler": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a tiddler as source text and sanitized HTML */
        get: operations["readTiddler"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Import tiddlers from a TiddlyWiki file (`.json`, `.tid` or `.html`) */
        post: operations["importWiki"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export a wiki as JSON, or as one HTML file */
        get: operations["exportWiki"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List changes of a wiki by agents, newest first */
        get: operations["listWikiChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wikis/{wiki}/changes/{changeId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Undo a change of a wiki by an agent */
        post: operations["undoWikiChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}/wikitext": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Render wikitext from a transcript as sanitized HTML, in a wiki of the agent */
        post: operations["renderWikitext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether the server is healthy */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Prometheus metrics of the server and of this process */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this OpenAPI document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Agent: {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /**
             * @default chat
             * @constant
             */
            type: "chat";
            chat: components["schemas"]["ChatConfig"];
            revision: number;
            /** Format: date-time */
            updatedAt: string;
        } | {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /** @constant */
            type: "external";
            external: {
                /** Format: uri */
                inputUrl: string;
                /** Format: uri */
                callbackBaseUrl?: string;
                /** Format: uri */
                checkUrl?: string;
                /** @default 0 */
                retries: number;
                /** @enum {string} */
                activeItem?: "onChange" | "everyMessage";
                redact?: string[];
                history?: number;
            };
            revision: number;
            /** Format: date-time */
            updatedAt: string;
        };
        AgentConfig: {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /**
             * @default chat
             * @constant
             */
            type: "chat";
            chat: components["schemas"]["ChatConfig"];
        } | {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /** @constant */
            type: "external";
            external: {
                /** Format: uri */
                inputUrl: string;
                /** Format: uri */
                callbackBaseUrl?: string;
                /** Format: uri */
                checkUrl?: string;
                /** @default 0 */
                retries: number;
                /** @enum {string} */
                activeItem?: "onChange" | "everyMessage";
                redact?: string[];
                history?: number;
            };
        };
        AgentInContext: {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /**
             * @default chat
             * @constant
             */
            type: "chat";
            chat: components["schemas"]["ChatConfig"];
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            additional_context?: {
                playground_build_kit: {
                    agent_template_overlay: {
                        /** @default [] */
                        tools: components["schemas"]["AgentTool"][];
                        /** @default [] */
                        skills: {
                            "@ag.embed": {
                                "@ag.references": {
                                    workflow?: {
                                        id?: string;
                                        slug?: string;
                                        version?: string | number;
                                        revision?: string | number;
                                    };
                                    agent?: {
                                        id?: string;
                                        slug?: string;
                                        version?: string | number;
                                        revision?: string | number;
                                    };
                                };
                                "@ag.selector"?: {
                                    path?: string;
                                };
                            };
                            name?: string;
                        }[];
                        handler?: string;
                    };
                };
            };
        } | {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /** @constant */
            type: "external";
            external: {
                /** Format: uri */
                inputUrl: string;
                /** Format: uri */
                callbackBaseUrl?: string;
                /** Format: uri */
                checkUrl?: string;
                /** @default 0 */
                retries: number;
                /** @enum {string} */
                activeItem?: "onChange" | "everyMessage";
                redact?: string[];
                history?: number;
            };
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            additional_context?: {
                playground_build_kit: {
                    agent_template_overlay: {
                        /** @default [] */
                        tools: components["schemas"]["AgentTool"][];
                        /** @default [] */
                        skills: {
                            "@ag.embed": {
                                "@ag.references": {
                                    workflow?: {
                                        id?: string;
                                        slug?: string;
                                        version?: string | number;
                                        revision?: string | number;
                                    };
                                    agent?: {
                                        id?: string;
                                        slug?: string;
                                        version?: string | number;
                                        revision?: string | number;
                                    };
                                };
                                "@ag.selector"?: {
                                    path?: string;
                                };
                            };
                            name?: string;
                        }[];
                        handler?: string;
                    };
                };
            };
        };
        AgentRevision: {
            revision: number;
            config: components["schemas"]["AgentConfig"];
            savedBy: string;
            /** Format: date-time */
            savedAt: string;
            note?: string;
            /** @enum {string} */
            source: "edit" | "restore" | "import" | "agent" | "trial";
        };
        AgentStatus: {
            text: string;
            /** Format: date-time */
            expiresAt: string;
        };
        AgentTool: {
            name: string;
            /** @constant */
            where: "external";
            title?: string;
            description: string;
            inputSchema: {
                [key: string]: unknown;
            };
            outputSchema?: {
                [key: string]: unknown;
            };
            /** Format: uri */
            url: string;
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            deadlineSeconds?: number;
            /** @default 0 */
            retries: number;
            duration?: number;
        } | {
            "@ag.embed": {
                "@ag.references": {
                    workflow?: {
                        id?: string;
                        slug?: string;
                        version?: string | number;
                        revision?: string | number;
                    };
                    agent?: {
                        id?: string;
                        slug?: string;
                        version?: string | number;
                        revision?: string | number;
                    };
                };
                "@ag.selector"?: {
                    path?: string;
                };
            };
            name?: string;
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            deadlineSeconds?: number;
        } | {
            mcp: string;
            slug?: string;
            tools?: string[];
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            timeoutSeconds?: number;
            duration?: number;
        } | {
            plugin: string;
            tools?: string[];
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            timeoutSeconds?: number;
            duration?: number;
        } | {
            name: string;
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            timeoutSeconds?: number;
            deadlineSeconds?: number;
            duration?: number;
            agents?: string[];
            wikis?: string[];
            services?: {
                integration: string;
                slug?: string;
                hosts?: string[];
                /**
                 * @default [
                 *       "GET"
                 *     ]
                 */
                methods: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE")[];
            }[];
        };
        Alarm: {
            alarmId: string;
            nextAt: string;
            timeZone?: string;
            reminderMessage?: string;
            repeatIntervalMinutes?: number;
            cron?: string;
            /** @constant */
            held?: true;
            /** Format: date-time */
            setAt: string;
            /** Format: date-time */
            firedAt?: string;
            toolCallId: string;
        };
        Answered: {
            toolCallId: string;
            /** @enum {string} */
            state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
        };
        ApiKey: {
            id: string;
            name: string;
            prefix: string;
            /** @enum {string} */
            role: "owner" | "editor" | "operator" | "viewer";
            outOfBand: {
                /**
                 * @default high
                 * @enum {string}
                 */
                maxPriority: "low" | "normal" | "high" | "critical";
                /**
                 * @default [
                 *       "external"
                 *     ]
                 */
                sources: ("agent" | "system" | "external")[];
            };
            createdBy?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
        };
        Call: {
            toolCallId: string;
            toolName: string;
            /** @enum {string} */
            kind: "approval" | "question" | "connection" | "client" | "external" | "agent" | "server" | "limit";
            /** @enum {string} */
            where: "server" | "browser" | "approver" | "external" | "agent" | "asker";
            title?: string;
            input: unknown;
            editedInput?: unknown;
            render?: {
                kind: string;
            } & {
                [key: string]: unknown;
            };
            messageId: string;
            turnId: string;
            duration?: number;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            deadline: string;
            /** @enum {string} */
            onDeadline: "declined" | "not-connected" | "error";
            answerers?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: {
                    id: string;
                    name: string;
                }[];
                askers?: {
                    id: string;
                    name: string;
                }[];
                links: boolean;
            };
            accountOf?: {
                id: string;
                name: string;
                others?: string[];
            };
            /** @enum {string} */
            state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
            /** Format: date-time */
            claimedAt?: string;
            /** Format: date-time */
            settledAt?: string;
            /** Format: date-time */
            ranAt?: string;
            answeredBy?: string;
            /** @enum {string} */
            via?: "page" | "message" | "api" | "token" | "link" | "callback" | "client" | "deadline" | "server" | "cancel";
            reason?: string;
            output?: unknown;
            errorText?: string;
        };
        CatalogueEntry: {
            slug: string;
            uri: string;
            /** @enum {string} */
            kind: "tool" | "skill" | "overlay";
            name: string;
            description: string;
            version?: string;
            toolName?: string;
            /** @enum {string} */
            where?: "server" | "browser" | "approver" | "external" | "agent";
            /** @enum {string} */
            approval?: "ask" | "auto";
            /** @constant */
            alwaysAsked?: true;
            source?: string;
            unavailable?: string;
            embeddable: boolean;
            /** @constant */
            own?: true;
            /** @constant */
            archived?: true;
            savedBy?: string;
            /** Format: date-time */
            savedAt?: string;
            usedBy: {
                agentId: string;
                displayName: string;
                version?: string;
            }[];
            data: {
                [key: string]: unknown;
            };
        };
        CatalogueItem: {
            slug: string;
            uri: string;
            /** @enum {string} */
            kind: "tool" | "skill" | "overlay";
            name: string;
            description: string;
            version?: string;
            toolName?: string;
            /** @enum {string} */
            where?: "server" | "browser" | "approver" | "external" | "agent";
            /** @enum {string} */
            approval?: "ask" | "auto";
            /** @constant */
            alwaysAsked?: true;
            source?: string;
            unavailable?: string;
            embeddable: boolean;
            /** @constant */
            own?: true;
            /** @constant */
            archived?: true;
            savedBy?: string;
            /** Format: date-time */
            savedAt?: string;
            usedBy: {
                agentId: string;
                displayName: string;
                version?: string;
            }[];
        };
        ChatConfig: {
            /** @default default */
            model: string;
            parameters?: {
                temperature?: number;
                topP?: number;
                maxOutputTokens?: number;
                seed?: number;
                /** @enum {string} */
                reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                reasoningBudget?: number;
                providerOptions?: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
            };
            handler?: string;
            /** @default  */
            instructions: string;
            /** @default [] */
            tools: components["schemas"]["AgentTool"][];
            skills?: {
                "@ag.embed": {
                    "@ag.references": {
                        workflow?: {
                            id?: string;
                            slug?: string;
                            version?: string | number;
                            revision?: string | number;
                        };
                        agent?: {
                            id?: string;
                            slug?: string;
                            version?: string | number;
                            revision?: string | number;
                        };
                    };
                    "@ag.selector"?: {
                        path?: string;
                    };
                };
                name?: string;
            }[];
            plugins?: {
                name: string;
                config?: {
                    [key: string]: unknown;
                };
                /**
                 * @default continue
                 * @enum {string}
                 */
                onFailure: "continue" | "stop";
            }[];
            handoffs?: string[];
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            limits: {
                /** @default 25 */
                stepsPerTurn: number;
                /** @default 1 */
                usdPerTurn: number;
                /** @default 120000 */
                contextTokens: number;
            };
            toolSettings?: {
                timeoutSeconds?: number;
                batchTimeoutSeconds?: number;
                concurrency?: number;
                retry?: {
                    maxAttempts?: number;
                    initialDelaySeconds?: number;
                    maxDelaySeconds?: number;
                    multiplier?: number;
                    maxRetryAfterSeconds?: number;
                };
            };
            /** @enum {string} */
            compaction?: "model" | "words";
            userAfterTools?: boolean;
            attachments?: {
                images?: boolean;
                files?: boolean;
            };
            /** @enum {string} */
            toolCalling?: "native" | "text";
            /** @enum {string} */
            buildKit?: "on" | "off";
            price?: {
                inputPerMillion: number;
                outputPerMillion: number;
            };
            starters?: {
                label: string;
                text: string;
            }[];
        };
        Chunk: ChunkOf<Shapes>;
        ConfigChange: {
            path: string[];
            /** @enum {string} */
            kind: "added" | "removed" | "changed" | "moved";
            before?: unknown;
            after?: unknown;
        };
        Connection: {
            connectionId: string;
            integration: string;
            service: string;
            slug: string;
            /** @enum {string} */
            sharing: "workspace" | "user" | "session";
            owner: string;
            mine: boolean;
            /** @enum {string} */
            mode: "oauth" | "api_key";
            /** @enum {string} */
            state: "active" | "needs_auth" | "revoked";
            account?: string;
            scopes: string[];
            fault?: string;
            connectedBy: string;
            /** Format: date-time */
            connectedAt: string;
            /** Format: date-time */
            lastUsedAt?: string;
            /** Format: date-time */
            expiresAt?: string;
            sessions: {
                sessionId: string;
                title: string;
                /** Format: date-time */
                usedAt: string;
            }[];
        };
        Context: {
            tokens: number;
            entries: number;
            breakdown: {
                system: number;
                tools: number;
                summary: number;
                user: number;
                assistant: number;
                toolResults: number;
                outOfBand: number;
            };
            estimated: number;
            corrected: number;
            ratio: number;
            contextTokens?: number;
            instructionsTokens?: number;
            summary?: {
                text: string;
                tokens: number;
            };
            compaction?: {
                compactionId: string;
                messages: number;
                /** @enum {string} */
                madeBy: "model" | "words";
                /** Format: date-time */
                at: string;
            };
            shown: {
                id: number;
                /** @enum {string} */
                kind: "user" | "step" | "answer" | "note" | "oob";
                tokens: number;
                stillWaiting: {
                    toolCallId: string;
                    toolName: string;
                    answered: boolean;
                }[];
                messages: {
                    /** @enum {string} */
                    role: "system" | "user" | "assistant" | "tool";
                    content: unknown;
                    cut?: number;
                }[];
            }[];
        };
        Delivery: {
            id: string;
            toolCallId?: string;
            messageId?: string;
            webhookId?: string;
            /** @enum {string} */
            kind: "call.opened" | "call.settled" | "message" | "webhook";
            event?: string;
            to: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed" | "withdrawn";
            attempts: {
                /** Format: date-time */
                at: string;
                ms: number;
                status?: number;
                error?: string;
                body?: string;
            }[];
            retries: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            nextAt?: string;
        };
        DraftState: {
            draft: {
                config: components["schemas"]["AgentConfig"];
                base: number;
                version: number;
                savedBy: string;
                /** Format: date-time */
                savedAt: string;
            } | null;
            version: number;
            revision: number;
            warnings?: {
                field: string;
                message: string;
            }[];
        };
        ExportLine: {
            /** @constant */
            type: "waystation-export";
            /** @constant */
            version: 1;
            /** Format: date-time */
            at: string;
            sessionId?: string;
            subject?: string;
        } | {
            /** @constant */
            type: "session";
            session: {
                id: string;
                agentId: string;
                subject?: string;
                title: string;
                status: components["schemas"]["SessionStatus"];
                createdBy: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                activeAt: string;
            };
        } | {
            /** @constant */
            type: "message";
            sessionId: string;
            message: components["schemas"]["Message"];
        } | {
            /** @constant */
            type: "call";
            sessionId: string;
            call: components["schemas"]["Call"];
        } | {
            /** @constant */
            type: "out-of-band";
            sessionId: string;
            message: components["schemas"]["OutOfBand"];
        } | {
            /** @constant */
            type: "delivery";
            sessionId: string;
            delivery: components["schemas"]["Delivery"];
        } | {
            /** @constant */
            type: "audit";
            entry: {
                id: number;
                /** Format: date-time */
                at: string;
                sessionId: string;
                /** @enum {string} */
                action: "message.injected" | "call.opened" | "account.used" | "call.denied" | "call.allowed" | "call.granted" | "grant.made" | "grant.revoked" | "turn.rerun" | "turn.edit" | "turn.delete" | "session.branched" | "mcp.tool-changed" | "catalogue.created" | "catalogue.changed" | "catalogue.archived" | "wiki.changed" | "wiki.undone" | "plugin.added" | "plugin.changed" | "plugin.accepted" | "plugin.removed" | "secret.saved" | "secret.removed" | "model.saved" | "model.removed" | "link-secret.rotated" | "workspace.created" | "workspace.renamed";
                actor: string;
                credential: string;
                messageId: string;
                toolCallId: string | null;
                toolName: string | null;
                pattern: string | null;
            };
        } | {
            /** @constant */
            type: "event";
            sessionId: string;
            event: components["schemas"]["SessionEvent"];
        } | {
            /** @constant */
            type: "end";
            counts: {
                [key: string]: number;
            };
        };
        Grant: {
            grantId: string;
            toolName: string;
            /** @enum {string} */
            holds: "session" | "always";
            input?: unknown;
            grantedBy: string;
            /** Format: date-time */
            at: string;
            sessionId: string;
            toolCallId: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "unavailable";
            version: string;
            database: string;
            worker: string;
        };
        HeldMessage: {
            id: string;
            sessionId: string;
            timestamp: number;
            /** @enum {string} */
            source: "user" | "agent" | "system" | "external";
            sourceId: string;
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "critical";
            content: string;
            metadata?: {
                relatedTo?: string;
                /** @enum {string} */
                action?: "inform" | "redirect" | "abort" | "enhance";
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "held" | "visible" | "injected" | "acknowledged" | "cancelled" | "expired";
            /** Format: date-time */
            queuedAt: string;
            /** Format: date-time */
            visibleAt?: string;
            approvedBy?: string;
            /** Format: date-time */
            injectedAt?: string;
            /** Format: date-time */
            acknowledgedAt?: string;
            /** Format: date-time */
            cancelledAt?: string;
            cancelledBy?: string;
            /** Format: date-time */
            expiresAt?: string;
            effect?: string;
            messageId?: string;
            agentId: string;
            title: string;
            mine: boolean;
        };
        StoredFile: {
            id: string;
            name: string;
            mediaType: string;
            size: number;
            url: string;
        };
        ListedPrompt: {
            promptId: number;
            turnId: string;
            messageId: string;
            round: number;
            /** Format: date-time */
            at: string;
            messages: number;
            tokens: number;
            cacheRead: number;
            cacheWrite: number;
            output: number;
            usd: number;
            estimated: number;
            states: {
                /** @enum {string} */
                stage: "instructions" | "history" | "plugin" | "final";
                plugin?: string;
                /** @enum {string} */
                outcome?: "same" | "changed" | "failed";
                messages: number;
                tokens: number;
                /** @constant */
                summary?: true;
                model?: string;
                /** @constant */
                instructions?: true;
                leftOut?: string[];
                ms: number;
            }[];
            error?: {
                code: string;
                message: string;
            };
        };
        ListedSession: {
            id: string;
            agentId: string;
            agentName: string;
            title: string;
            snippet: string;
            status: components["schemas"]["SessionStatus"];
            subject?: string;
            error?: components["schemas"]["TurnError"];
            /** Format: date-time */
            retryAt?: string;
            /** @constant */
            undelivered?: true;
            outOfBand?: {
                waiting: number;
                held: number;
            };
            subAgents?: {
                atWork: number;
                waiting: number;
            };
            /** @constant */
            unread?: true;
            agentStatus?: components["schemas"]["AgentStatus"];
            /** Format: date-time */
            activeAt: string;
            waitingFor: components["schemas"]["Call"][];
        };
        McpServer: {
            server: string;
            service: string;
            /** @enum {string} */
            kind: "http" | "program";
            about: string;
            health: {
                /** @constant */
                state: "unchecked";
            } | {
                /** @enum {string} */
                state: "ok" | "failed" | "account";
                /** Format: date-time */
                at: string;
                tookMs: number;
                error?: string;
            };
            tools: number;
            changed: number;
            added: number;
            agents: {
                agentId: string;
                displayName: string;
            }[];
        };
        McpServerOffer: {
            server: string;
            service: string;
            /** @enum {string} */
            kind: "http" | "program";
            about: string;
            health: {
                /** @constant */
                state: "unchecked";
            } | {
                /** @enum {string} */
                state: "ok" | "failed" | "account";
                /** Format: date-time */
                at: string;
                tookMs: number;
                error?: string;
            };
            tools: number;
            changed: number;
            added: number;
            agents: {
                agentId: string;
                displayName: string;
            }[];
            offers: {
                name: string;
                title?: string;
                description: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                acceptedAt?: string;
                acceptedBy?: string;
                offered?: {
                    digest: string;
                    changes: components["schemas"]["ConfigChange"][];
                };
            }[];
            resources: boolean;
            prompts: boolean;
        };
        Member: {
            userId: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "editor" | "operator" | "viewer";
            /** Format: date-time */
            joinedAt: string;
            account?: {
                provider: string;
                label: string;
            };
        };
        Message: MessageOf<Shapes>;
        MessageDelivery: {
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            reason?: number | "timeout";
            /** Format: date-time */
            at?: string;
            /** Format: date-time */
            nextAt?: string;
            /** @constant */
            stopped?: true;
        };
        MessageMetadata: {
            /** Format: date-time */
            createdAt: string;
            turnId?: string;
            revision?: number;
            agentId?: string;
            /** @enum {string} */
            queued?: "queue" | "steer" | "interrupt";
            itemId?: string;
            sentBy?: string;
            replyId?: string;
            inReplyTo?: string;
            /** @constant */
            contentType?: "text/vnd.tiddlywiki";
            active?: {
                type: string;
                id: string;
                name?: string;
            };
            duration?: number;
        };
        OobEdge: {
            from: {
                sessionId?: string;
                title?: string;
                /** @enum {string} */
                source: "user" | "agent" | "system" | "external";
                sourceId: string;
            };
            to: {
                sessionId: string;
                title: string;
                agentName: string;
            };
            count: number;
            last: {
                id: string;
                sessionId: string;
                timestamp: number;
                /** @enum {string} */
                priority: "low" | "normal" | "high" | "critical";
                /** @enum {string} */
                status: "held" | "visible" | "injected" | "acknowledged" | "cancelled" | "expired";
                content: string;
                /** Format: date-time */
                queuedAt: string;
                effect?: string;
            };
        };
        OobMessage: {
            id: string;
            sessionId: string;
            timestamp: number;
            /** @enum {string} */
            source: "user" | "agent" | "system" | "external";
            sourceId: string;
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "critical";
            content: string;
            metadata?: {
                relatedTo?: string;
                /** @enum {string} */
                action?: "inform" | "redirect" | "abort" | "enhance";
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "held" | "visible" | "injected" | "acknowledged" | "cancelled" | "expired";
            /** Format: date-time */
            queuedAt: string;
            /** Format: date-time */
            visibleAt?: string;
            approvedBy?: string;
            /** Format: date-time */
            injectedAt?: string;
            /** Format: date-time */
            acknowledgedAt?: string;
            /** Format: date-time */
            cancelledAt?: string;
            cancelledBy?: string;
            /** Format: date-time */
            expiresAt?: string;
            effect?: string;
            messageId?: string;
            from: {
                sessionId?: string;
                title?: string;
                /** @enum {string} */
                source: "user" | "agent" | "system" | "external";
                sourceId: string;
            };
            to: {
                sessionId: string;
                title: string;
                agentName: string;
            };
        };
        OobPolicy: {
            /**
             * @default on
             * @enum {string}
             */
            mode: "off" | "approve" | "on";
            /**
             * @default low
             * @enum {string}
             */
            minPriority: "low" | "normal" | "high" | "critical";
            /** @default [] */
            muted: {
                /** @enum {string} */
                source: "user" | "agent" | "system" | "external";
                sourceId?: string;
            }[];
            from?: {
                /** @enum {string} */
                mode: "session" | "agent" | "workspace" | "default";
                /** @enum {string} */
                minPriority: "session" | "agent" | "workspace" | "default";
                /** @enum {string} */
                muted: "session" | "agent" | "workspace" | "default";
            };
            inherited?: {
                /**
                 * @default on
                 * @enum {string}
                 */
                mode: "off" | "approve" | "on";
                /**
                 * @default low
                 * @enum {string}
                 */
                minPriority: "low" | "normal" | "high" | "critical";
                /** @default [] */
                muted: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                from: {
                    /** @enum {string} */
                    mode: "session" | "agent" | "workspace" | "default";
                    /** @enum {string} */
                    minPriority: "session" | "agent" | "workspace" | "default";
                    /** @enum {string} */
                    muted: "session" | "agent" | "workspace" | "default";
                };
            };
        };
        OobReceipt: {
            id: string;
            /** @enum {string} */
            status: "held" | "visible" | "injected" | "acknowledged" | "cancelled" | "expired";
            queuePosition: number;
        };
        OutOfBand: {
            id: string;
            sessionId: string;
            timestamp: number;
            /** @enum {string} */
            source: "user" | "agent" | "system" | "external";
            sourceId: string;
            /** @enum {string} */
            priority: "low" | "normal" | "high" | "critical";
            content: string;
            metadata?: {
                relatedTo?: string;
                /** @enum {string} */
                action?: "inform" | "redirect" | "abort" | "enhance";
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "held" | "visible" | "injected" | "acknowledged" | "cancelled" | "expired";
            /** Format: date-time */
            queuedAt: string;
            /** Format: date-time */
            visibleAt?: string;
            approvedBy?: string;
            /** Format: date-time */
            injectedAt?: string;
            /** Format: date-time */
            acknowledgedAt?: string;
            /** Format: date-time */
            cancelledAt?: string;
            cancelledBy?: string;
            /** Format: date-time */
            expiresAt?: string;
            effect?: string;
            messageId?: string;
        };
        ApiError: {
            error: string;
            /** @enum {string} */
            code: "MALFORMED_JSON" | "INVALID_SESSION_ID" | "SESSION_ID_REQUIRED" | "SESSION_AGENT_MISMATCH" | "AGENT_NOT_FOUND" | "EMPTY_MESSAGE" | "UNAUTHENTICATED" | "FORBIDDEN" | "FOREIGN_ORIGIN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "SESSION_BUSY" | "ALREADY_SETTLED" | "NOT_ANSWERABLE" | "CONFLICT" | "EXPIRED" | "TOO_LARGE" | "UNSUPPORTED_TYPE" | "INVALID_INPUT" | "KEY_REUSED" | "RATE_LIMITED" | "UNAVAILABLE";
            fields?: {
                [key: string]: string;
            };
            winner?: {
                state: string;
                answeredBy?: string;
                /** Format: date-time */
                at: string;
            };
            newest?: {
                revision?: number;
                version?: number;
                by: string;
                /** Format: date-time */
                at: string;
            };
            retryAfter?: number;
        };
        PluginDetails: {
            name: string;
            source: string;
            state: {
                /** @enum {string} */
                kind: "starting" | "serving" | "unhealthy" | "restarting" | "failed" | "stopped";
                why?: string;
            };
            version?: string;
            wantedVersion?: string;
            about?: {
                version: string;
                description: string;
                author: string;
                icon?: string;
                /** @enum {string} */
                type: "local" | "remote";
            };
            capabilities: ("model" | "tools" | "hooks" | "views")[];
            tools: {
                name: string;
                description: string;
            }[];
            views: {
                name: string;
                label: string;
            }[];
            hooks?: {
                events: string[];
                calls: number;
                failed: number;
                p50Ms: number;
                p95Ms: number;
            };
            withheld?: ("model" | "tools" | "hooks" | "views")[];
            added?: {
                source: string;
                pin?: string;
                hasCa: boolean;
                failClosed: boolean;
                disabled: boolean;
                version: string;
                capabilities: ("model" | "tools" | "hooks" | "views")[];
                digest: string;
                addedBy: string;
                /** Format: date-time */
                addedAt: string;
            };
            skipped: {
                name: string;
                reason: string;
            }[];
            restarts: number;
            logs: {
                /** @enum {string} */
                stream: "stdout" | "stderr" | "server";
                text: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        PluginStatus: {
            name: string;
            source: string;
            state: {
                /** @enum {string} */
                kind: "starting" | "serving" | "unhealthy" | "restarting" | "failed" | "stopped";
                why?: string;
            };
            version?: string;
            wantedVersion?: string;
            about?: {
                version: string;
                description: string;
                author: string;
                icon?: string;
                /** @enum {string} */
                type: "local" | "remote";
            };
            capabilities: ("model" | "tools" | "hooks" | "views")[];
            tools: {
                name: string;
                description: string;
            }[];
            views: {
                name: string;
                label: string;
            }[];
            hooks?: {
                events: string[];
                calls: number;
                failed: number;
                p50Ms: number;
                p95Ms: number;
            };
            withheld?: ("model" | "tools" | "hooks" | "views")[];
            added?: {
                source: string;
                pin?: string;
                hasCa: boolean;
                failClosed: boolean;
                disabled: boolean;
                version: string;
                capabilities: ("model" | "tools" | "hooks" | "views")[];
                digest: string;
                addedBy: string;
                /** Format: date-time */
                addedAt: string;
            };
            skipped: {
                name: string;
                reason: string;
            }[];
            restarts: number;
        };
        Resent: {
            messageId: string;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
        };
        SendReceipt: {
            itemId: string;
            messageId: string;
            /** @enum {string} */
            status: "started" | "queued" | "steering";
        };
        Session: {
            id: string;
            agentId: string;
            agentName?: string;
            agentRevision?: number;
            publishedRevision?: number;
            pinnedRevision?: number;
            /** @constant */
            overlaid?: true;
            /** @constant */
            buildKit?: true;
            /** @constant */
            trial?: true;
            speaker?: {
                agentId: string;
                displayName: string;
                /** @constant */
                external?: true;
            };
            title: string;
            parent?: {
                id: string;
                title: string;
                toolCallId: string;
            };
            branchedFrom?: {
                sessionId: string;
                title?: string;
            };
            attaching?: {
                images: boolean;
                documents: boolean;
                /** @constant */
                all?: true;
                fileBytes: number;
                perMessage: number;
            };
            status: components["schemas"]["SessionStatus"];
            waitingFor: components["schemas"]["Call"][];
        };
        SessionEvent: {
            /** @constant */
            type: "chunk";
            messageId: string;
            turnId: string;
            chunk: components["schemas"]["Chunk"];
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "message";
            message: components["schemas"]["Message"];
            placed?: boolean;
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "message-removed";
            messageId: string;
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "messages-taken-out";
            messageIds: string[];
            /** @enum {string} */
            why: "rerun" | "edit" | "delete";
            by: string;
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "call";
            call: components["schemas"]["Call"];
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "status";
            status: components["schemas"]["SessionStatus"];
            turnId?: string;
            /** @enum {string} */
            outcome?: "done" | "parked" | "failed" | "cancelled" | "interrupted";
            error?: components["schemas"]["TurnError"];
            /** Format: date-time */
            retryAt?: string;
            revisions?: number[];
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "session";
            title: string;
            oobPolicy?: components["schemas"]["OobPolicy"];
            pinnedRevision?: number | null;
            overlaid?: boolean;
            buildKit?: boolean;
            speaker?: {
                agentId: string;
                displayName: string;
                /** @constant */
                external?: true;
            } | null;
            alarms?: {
                open: number;
                /** Format: date-time */
                nextAt?: string;
            };
            subAgents?: {
                all: number;
                atWork: number;
                waiting: number;
            };
            agentStatus?: components["schemas"]["AgentStatus"] | null;
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "delivery";
            delivery: components["schemas"]["Delivery"];
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            /** @constant */
            type: "oob";
            message: components["schemas"]["OutOfBand"];
            seq: number;
            /** Format: date-time */
            at: string;
        } | {
            messages: components["schemas"]["Message"][];
            calls: components["schemas"]["Call"][];
            outOfBand: components["schemas"]["OutOfBand"][];
            status: components["schemas"]["SessionStatus"];
            turnId?: string;
            title: string;
            oobPolicy: components["schemas"]["OobPolicy"];
            pinnedRevision?: number;
            /** @constant */
            overlaid?: true;
            /** @constant */
            buildKit?: true;
            speaker?: {
                agentId: string;
                displayName: string;
                /** @constant */
                external?: true;
            };
            alarms?: {
                open: number;
                /** Format: date-time */
                nextAt?: string;
            };
            subAgents?: {
                all: number;
                atWork: number;
                waiting: number;
            };
            agentStatus?: components["schemas"]["AgentStatus"];
            error?: components["schemas"]["TurnError"];
            /** Format: date-time */
            retryAt?: string;
            cursor: number;
            /** @constant */
            type: "reset";
            seq: number;
            /** Format: date-time */
            at: string;
        };
        /** @enum {string} */
        SessionStatus: "idle" | "running" | "parked" | "failed";
        SessionView: {
            messages: components["schemas"]["Message"][];
            calls: components["schemas"]["Call"][];
            outOfBand: components["schemas"]["OutOfBand"][];
            status: components["schemas"]["SessionStatus"];
            turnId?: string;
            title: string;
            oobPolicy: components["schemas"]["OobPolicy"];
            pinnedRevision?: number;
            /** @constant */
            overlaid?: true;
            /** @constant */
            buildKit?: true;
            speaker?: {
                agentId: string;
                displayName: string;
                /** @constant */
                external?: true;
            };
            alarms?: {
                open: number;
                /** Format: date-time */
                nextAt?: string;
            };
            subAgents?: {
                all: number;
                atWork: number;
                waiting: number;
            };
            agentStatus?: components["schemas"]["AgentStatus"];
            error?: components["schemas"]["TurnError"];
            /** Format: date-time */
            retryAt?: string;
            cursor: number;
            session: components["schemas"]["Session"];
        };
        SkinnyTiddler: {
            title: string;
            tags: string[];
            /** Format: date-time */
            modified?: string;
        };
        StoredPrompt: {
            promptId: number;
            turnId: string;
            messageId: string;
            round: number;
            /** Format: date-time */
            at: string;
            tokens: number;
            cacheRead: number;
            cacheWrite: number;
            output: number;
            usd: number;
            estimated: number;
            states: {
                /** @enum {string} */
                stage: "instructions" | "history" | "plugin" | "final";
                plugin?: string;
                /** @enum {string} */
                outcome?: "same" | "changed" | "failed";
                messages: number;
                tokens: number;
                /** @constant */
                summary?: true;
                model?: string;
                /** @constant */
                instructions?: true;
                leftOut?: string[];
                ms: number;
            }[];
            error?: {
                code: string;
                message: string;
            };
            instructions: string;
            tools: {
                name: string;
                description?: string;
                inputSchema: unknown;
            }[];
            messages: ({
                /** @enum {string} */
                role: "system" | "user" | "assistant" | "tool";
                content: unknown;
            } & {
                [key: string]: unknown;
            })[];
            same: number;
            previous?: number;
            next?: number;
        };
        Tiddler: {
            title: string;
            tags: string[];
            /** Format: date-time */
            modified?: string;
            text: string;
            type: string;
            fields: {
                [key: string]: string;
            };
            /** Format: date-time */
            created?: string;
            revision: number;
        };
        Tool: {
            name: string;
            description: string;
            /** @enum {string} */
            where: "server" | "browser" | "approver" | "external" | "agent";
            /** @enum {string} */
            approval: "ask" | "auto";
            /** @constant */
            alwaysAsked?: true;
            source?: string;
            unavailable?: string;
        };
        TurnError: {
            code: string;
            message: string;
            retryable: boolean;
        };
        TurnResult: {
            sessionId: string;
            messageId: string;
            /** @enum {string} */
            state: "working" | "waiting" | "done" | "stopped" | "failed";
            error?: string;
            text: string;
            calls: {
                toolCallId: string;
                toolName: string;
                input: unknown;
                /** @enum {string} */
                state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
            }[];
            revision?: number;
            model?: string;
            inputTokens?: number;
            outputTokens?: number;
            usd?: number;
            seconds?: number;
        };
        ViewBlock: {
            type: string;
            labels: string[];
            attributes: {
                [key: string]: unknown;
            };
            blocks: components["schemas"]["ViewBlock"][];
        };
        ViewComponent: {
            name: string;
            type: string;
            attributes: {
                [key: string]: unknown;
            };
            children: components["schemas"]["ViewComponent"][];
            blocks: components["schemas"]["ViewBlock"][];
        };
        WaitingCall: {
            toolCallId: string;
            toolName: string;
            /** @enum {string} */
            kind: "approval" | "question" | "connection" | "client" | "external" | "agent" | "server" | "limit";
            /** @enum {string} */
            where: "server" | "browser" | "approver" | "external" | "agent" | "asker";
            title: string;
            input: unknown;
            editedInput?: unknown;
            render?: {
                kind: string;
            } & {
                [key: string]: unknown;
            };
            messageId: string;
            turnId: string;
            duration?: number;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            deadline: string;
            /** @enum {string} */
            onDeadline: "declined" | "not-connected" | "error";
            answerers?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: {
                    id: string;
                    name: string;
                }[];
                askers?: {
                    id: string;
                    name: string;
                }[];
                links: boolean;
            };
            accountOf?: {
                id: string;
                name: string;
                others?: string[];
            };
            /** @enum {string} */
            state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
            /** Format: date-time */
            claimedAt?: string;
            /** Format: date-time */
            settledAt?: string;
            /** Format: date-time */
            ranAt?: string;
            answeredBy?: string;
            /** @enum {string} */
            via?: "page" | "message" | "api" | "token" | "link" | "callback" | "client" | "deadline" | "server" | "cancel";
            reason?: string;
            output?: unknown;
            errorText?: string;
            sessionId: string;
            agentId: string;
            mine: boolean;
            callTitle?: string;
        };
        Wiki: {
            name: string;
            tiddlers: number;
            revision: number;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            changedAt: string;
        };
        WikiChange: {
            wiki: string;
            change: string;
            /** @enum {string} */
            action: "created" | "changed" | "renamed" | "deleted";
            title: string;
            newTitle?: string;
            revision: number;
            updated?: string[];
            /** Format: date-time */
            at: string;
            agentId: string;
            agentName: string;
            approvedBy?: string;
            sessionId: string | null;
            toolCallId: string;
            /** Format: date-time */
            undoneAt?: string;
            undoneBy?: string;
        };
        AgentConfigInput: {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /**
             * @default chat
             * @constant
             */
            type?: "chat";
            /** @default {} */
            chat?: components["schemas"]["ChatConfigInput"];
        } | {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /** @constant */
            type: "external";
            external: {
                /** Format: uri */
                inputUrl: string;
                /** Format: uri */
                callbackBaseUrl?: string;
                /** Format: uri */
                checkUrl?: string;
                /** @default 0 */
                retries?: number;
                /** @enum {string} */
                activeItem?: "onChange" | "everyMessage";
                redact?: string[];
                history?: number;
            };
        };
        AgentToolInput: {
            name: string;
            /** @constant */
            where: "external";
            title?: string;
            description: string;
            inputSchema: {
                [key: string]: unknown;
            };
            outputSchema?: {
                [key: string]: unknown;
            };
            /** Format: uri */
            url: string;
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            deadlineSeconds?: number;
            /** @default 0 */
            retries?: number;
            duration?: number;
        } | {
            "@ag.embed": {
                "@ag.references": {
                    workflow?: {
                        id?: string;
                        slug?: string;
                        version?: string | number;
                        revision?: string | number;
                    };
                    agent?: {
                        id?: string;
                        slug?: string;
                        version?: string | number;
                        revision?: string | number;
                    };
                };
                "@ag.selector"?: {
                    path?: string;
                };
            };
            name?: string;
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            deadlineSeconds?: number;
        } | {
            mcp: string;
            slug?: string;
            tools?: string[];
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            timeoutSeconds?: number;
            duration?: number;
        } | {
            plugin: string;
            tools?: string[];
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            timeoutSeconds?: number;
            duration?: number;
        } | {
            name: string;
            /** @enum {string} */
            approval?: "ask" | "auto";
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            timeoutSeconds?: number;
            deadlineSeconds?: number;
            duration?: number;
            agents?: string[];
            wikis?: string[];
            services?: {
                integration: string;
                slug?: string;
                hosts?: string[];
                /**
                 * @default [
                 *       "GET"
                 *     ]
                 */
                methods?: ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE")[];
            }[];
        };
        ChatConfigInput: {
            /** @default default */
            model?: string;
            parameters?: {
                temperature?: number;
                topP?: number;
                maxOutputTokens?: number;
                seed?: number;
                /** @enum {string} */
                reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
                reasoningBudget?: number;
                providerOptions?: {
                    [key: string]: {
                        [key: string]: unknown;
                    };
                };
            };
            handler?: string;
            /** @default  */
            instructions?: string;
            /** @default [] */
            tools?: components["schemas"]["AgentToolInput"][];
            skills?: {
                "@ag.embed": {
                    "@ag.references": {
                        workflow?: {
                            id?: string;
                            slug?: string;
                            version?: string | number;
                            revision?: string | number;
                        };
                        agent?: {
                            id?: string;
                            slug?: string;
                            version?: string | number;
                            revision?: string | number;
                        };
                    };
                    "@ag.selector"?: {
                        path?: string;
                    };
                };
                name?: string;
            }[];
            plugins?: {
                name: string;
                config?: {
                    [key: string]: unknown;
                };
                /**
                 * @default continue
                 * @enum {string}
                 */
                onFailure?: "continue" | "stop";
            }[];
            handoffs?: string[];
            answer?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            /** @default {} */
            limits?: {
                /** @default 25 */
                stepsPerTurn?: number;
                /** @default 1 */
                usdPerTurn?: number;
                /** @default 120000 */
                contextTokens?: number;
            };
            toolSettings?: {
                timeoutSeconds?: number;
                batchTimeoutSeconds?: number;
                concurrency?: number;
                retry?: {
                    maxAttempts?: number;
                    initialDelaySeconds?: number;
                    maxDelaySeconds?: number;
                    multiplier?: number;
                    maxRetryAfterSeconds?: number;
                };
            };
            /** @enum {string} */
            compaction?: "model" | "words";
            userAfterTools?: boolean;
            attachments?: {
                images?: boolean;
                files?: boolean;
            };
            /** @enum {string} */
            toolCalling?: "native" | "text";
            /** @enum {string} */
            buildKit?: "on" | "off";
            price?: {
                inputPerMillion: number;
                outputPerMillion: number;
            };
            starters?: {
                label: string;
                text: string;
            }[];
        };
        CreateSessionResponse: {
            /** @constant */
            ok: true;
            result: {
                sessionId: string;
                agentId: string;
                created: boolean;
            };
        };
        CreateSessionInput: {
            agentId: string;
            sessionId?: string;
            subject?: string;
            title?: string;
            revision?: "draft" | number;
            trial?: boolean;
            buildKit?: boolean;
        };
        DeleteSessionResponse: {
            /** @constant */
            ok: true;
            result: {
                sessionId: string;
            };
        };
        DeleteSessionInput: {
            sessionId: string;
        };
        ListSessionsResponse: {
            sessions: components["schemas"]["ListedSession"][];
            nextCursor: string | null;
            agentsVersion: string;
        };
        RenameSessionResponse: {
            sessionId: string;
            title: string;
        };
        RenameSessionInput: {
            title: string;
        };
        MarkReadResponse: {
            sessionId: string;
            messageId: string;
        };
        MarkReadInput: {
            messageId: string;
        };
        PinRevisionResponse: {
            sessionId: string;
            pinnedRevision: number | null;
            revision?: number;
        };
        PinRevisionInput: {
            revision: ("draft" | number) | null;
        };
        HandSessionResponse: {
            sessionId: string;
            speaker: {
                agentId: string;
                displayName: string;
                /** @constant */
                external?: true;
            };
        };
        HandSessionInput: {
            agentId: string;
            reason?: string;
        };
        LayOverlayResponse: {
            sessionId: string;
            overlaid: boolean;
            buildKit: boolean;
        };
        LayOverlayInput: {
            overlay?: {
                /** @default [] */
                tools?: components["schemas"]["AgentToolInput"][];
                /** @default [] */
                skills?: {
                    "@ag.embed": {
                        "@ag.references": {
                            workflow?: {
                                id?: string;
                                slug?: string;
                                version?: string | number;
                                revision?: string | number;
                            };
                            agent?: {
                                id?: string;
                                slug?: string;
                                version?: string | number;
                                revision?: string | number;
                            };
                        };
                        "@ag.selector"?: {
                            path?: string;
                        };
                    };
                    name?: string;
                }[];
                handler?: string;
            } | null;
            buildKit?: boolean;
        };
        SendMessageInput: {
            text?: string;
            parts?: ({
                /** @constant */
                type: "text";
                text: string;
            } | {
                /** @constant */
                type: "file";
                mediaType: string;
                filename?: string;
                url: string;
            })[];
            files?: string[];
            key?: string;
            /**
             * @default reject
             * @enum {string}
             */
            whenBusy?: "reject" | "queue" | "steer" | "interrupt";
            clientTools?: {
                name: string;
                /** @default  */
                description?: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                outputSchema?: {
                    [key: string]: unknown;
                };
            }[];
            active?: {
                /** @constant */
                type: "wiki";
                wiki: string;
                title: string;
            } | {
                type: string;
                id: string;
                name?: string;
                content: unknown;
            };
            duration?: number;
        };
        RemoveMessageResponse: {
            itemId: string;
        };
        CancelTurnResponse: {
            turnId: string | null;
        };
        CancelTurnInput: {
            turnId?: string;
            /** @default false */
            calls?: boolean;
        };
        RetryTurnResponse: {
            turnId: string | null;
        };
        RetryTurnInput: {
            turnId?: string;
        };
        RerunTurnInput: {
            text?: string;
            parts?: ({
                /** @constant */
                type: "text";
                text: string;
            } | {
                /** @constant */
                type: "file";
                mediaType: string;
                filename?: string;
                url: string;
            })[];
            /** @default false */
            calls?: boolean;
            key?: string;
            clientTools?: {
                name: string;
                /** @default  */
                description?: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                outputSchema?: {
                    [key: string]: unknown;
                };
            }[];
        };
        RemoveTurnResponse: {
            messageIds: string[];
        };
        BranchSessionResponse: {
            sessionId: string;
            agentId: string;
            title: string;
        };
        BranchSessionInput: {
            key?: string;
        };
        ListLogResponse: {
            events: (components["schemas"]["SessionEvent"] & {
                bytes: number;
            })[];
        };
        ListDeliveriesResponse: {
            deliveries: components["schemas"]["Delivery"][];
        };
        SessionsListResponse: {
            /** @constant */
            ok: true;
            result: {
                sessions: components["schemas"]["ListedSession"][];
                nextCursor: string | null;
                agentsVersion: string;
            };
        };
        SessionsListInput: {
            cursor?: string;
            /** @enum {string} */
            status?: "idle" | "running" | "parked" | "failed";
            trouble?: boolean | string;
            waiting?: boolean | string;
            agentId?: string;
            subject?: string;
            q?: string;
            parent?: string;
            limit?: number;
        };
        SessionsGetResponse: {
            /** @constant */
            ok: true;
            result: components["schemas"]["SessionView"];
        };
        SessionsGetInput: {
            sessionId: string;
            before?: string;
        };
        SessionsRenameResponse: {
            /** @constant */
            ok: true;
            result: {
                sessionId: string;
                title: string;
            };
        };
        SessionsRenameInput: {
            sessionId: string;
            title: string;
        };
        SessionsSendResponse: {
            /** @constant */
            ok: true;
            result: components["schemas"]["SendReceipt"];
        };
        SessionsSendInput: {
            sessionId: string;
            text?: string;
            parts?: ({
                /** @constant */
                type: "text";
                text: string;
            } | {
                /** @constant */
                type: "file";
                mediaType: string;
                filename?: string;
                url: string;
            })[];
            files?: string[];
            key?: string;
            /**
             * @default reject
             * @enum {string}
             */
            whenBusy?: "reject" | "queue" | "steer" | "interrupt";
            clientTools?: {
                name: string;
                /** @default  */
                description?: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                outputSchema?: {
                    [key: string]: unknown;
                };
            }[];
            active?: {
                /** @constant */
                type: "wiki";
                wiki: string;
                title: string;
            } | {
                type: string;
                id: string;
                name?: string;
                content: unknown;
            };
            duration?: number;
        };
        SessionsCancelResponse: {
            /** @constant */
            ok: true;
            result: {
                turnId: string | null;
            };
        };
        SessionsCancelInput: {
            sessionId: string;
            turnId?: string;
            /** @default false */
            calls?: boolean;
        };
        SessionsEventsResponse: {
            /** @constant */
            ok: true;
            result: {
                events: (components["schemas"]["SessionEvent"] & {
                    bytes: number;
                })[];
            };
        };
        SessionsEventsInput: {
            sessionId: string;
            before?: number;
            limit?: number;
        };
        AnswerCallInput: {
            approved: boolean;
            reason?: string;
            input?: unknown;
            /** @enum {string} */
            remember?: "session" | "always";
            anyArguments?: boolean;
        } | {
            /** @constant */
            declined: true;
            reason?: string;
            question?: string;
        } | {
            error: string;
            clientTools?: string[];
        } | {
            output: unknown;
            question?: string;
        };
        AnswerCallsResponse: {
            results: {
                sessionId: string;
                toolCallId: string;
                /** @enum {string} */
                state?: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
                error?: components["schemas"]["ApiError"];
            }[];
        };
        AnswerCallsInput: {
            calls: {
                sessionId: string;
                toolCallId: string;
                /** Format: date-time */
                since?: string;
            }[];
            approved: boolean;
            reason?: string;
        };
        ReviewProposalResponse: {
            changes: components["schemas"]["ConfigChange"][];
            widens: string[];
        };
        ReviewProposalInput: {
            input: {
                [key: string]: unknown;
            };
        };
        ExtendCallResponse: {
            /** Format: date-time */
            deadline: string;
        };
        ExtendCallInput: {
            /** Format: date-time */
            until?: string;
            seconds?: number;
        };
        AnswerLinkResponse: {
            /** Format: uri */
            answerUrl: string;
        };
        AnswerExternalCallInput: {
            output: unknown;
            question?: string;
        } | {
            error: string;
        };
        ListWaitingResponse: {
            calls: components["schemas"]["WaitingCall"][];
            held: components["schemas"]["HeldMessage"][];
            nextCursor: string | null;
        };
        SendOutOfBandInput: {
            content: string;
            /** @enum {string} */
            source?: "user" | "agent" | "system" | "external";
            sourceId?: string;
            /**
             * @default normal
             * @enum {string}
             */
            priority?: "low" | "normal" | "high" | "critical";
            metadata?: {
                relatedTo?: string;
                /** @enum {string} */
                action?: "inform" | "redirect" | "abort" | "enhance";
            } & {
                [key: string]: unknown;
            };
            ttlSeconds?: number | null;
            key?: string;
        };
        ListOutOfBandResponse: {
            messages: components["schemas"]["OutOfBand"][];
        };
        RemoveOutOfBandResponse: {
            id: string;
        };
        SetOobPolicyInput: {
            /** @enum {string} */
            mode?: "off" | "approve" | "on";
            /** @enum {string} */
            minPriority?: "low" | "normal" | "high" | "critical";
            muted?: {
                /** @enum {string} */
                source: "user" | "agent" | "system" | "external";
                sourceId?: string;
            }[];
        };
        ListOobEdgesResponse: {
            edges: components["schemas"]["OobEdge"][];
            more: boolean;
        };
        ListOobMessagesResponse: {
            messages: components["schemas"]["OobMessage"][];
            nextCursor: string | null;
        };
        ListAlarmsResponse: {
            alarms: components["schemas"]["Alarm"][];
            /** Format: date-time */
            now: string;
        };
        CancelAlarmResponse: {
            alarmId: string;
        };
        ListPromptsResponse: {
            prompts: components["schemas"]["ListedPrompt"][];
            nextBefore: number | null;
        };
        PreviewPromptResponse: {
            instructions: string;
            tools: {
                name: string;
                description?: string;
                inputSchema: unknown;
            }[];
            messages: ({
                /** @enum {string} */
                role: "system" | "user" | "assistant" | "tool";
                content: unknown;
            } & {
                [key: string]: unknown;
            })[];
            states: {
                /** @enum {string} */
                stage: "instructions" | "history" | "plugin" | "final";
                plugin?: string;
                /** @enum {string} */
                outcome?: "same" | "changed" | "failed";
                messages: number;
                tokens: number;
                /** @constant */
                summary?: true;
                model?: string;
                /** @constant */
                instructions?: true;
                leftOut?: string[];
                ms: number;
            }[];
            estimated: number;
            model: string;
        };
        PreviewPromptInput: {
            /** @default  */
            text?: string;
        };
        CompareTurnResponse: {
            trials: {
                sessionId: string;
                messageId: string;
            }[];
        };
        CompareTurnInput: {
            messageId: string;
            with: {
                revision?: "draft" | number;
                model?: string;
            }[];
            key?: string;
        };
        KeepTrialResponse: {
            sessionId: string;
            pinnedRevision: number | null;
        };
        ListTestSetsResponse: {
            testSets: {
                id: string;
                agentId: string;
                name: string;
                messages: string[];
                savedBy: string;
                /** Format: date-time */
                savedAt: string;
            }[];
        };
        CreateTestSetResponse: {
            id: string;
            agentId: string;
            name: string;
            messages: string[];
            savedBy: string;
            /** Format: date-time */
            savedAt: string;
        };
        CreateTestSetInput: {
            name: string;
            /** @default [] */
            messages?: string[];
        };
        SaveTestSetResponse: {
            id: string;
            agentId: string;
            name: string;
            messages: string[];
            savedBy: string;
            /** Format: date-time */
            savedAt: string;
        };
        SaveTestSetInput: {
            name: string;
            messages: string[];
        };
        AddTestMessageResponse: {
            id: string;
            agentId: string;
            name: string;
            messages: string[];
            savedBy: string;
            /** Format: date-time */
            savedAt: string;
        };
        AddTestMessageInput: {
            text: string;
        };
        DeleteTestSetResponse: {
            testSetId: string;
        };
        RunTestSetResponse: {
            id: string;
            with: {
                revision?: "draft" | number;
                model?: string;
            }[];
            revisions: number[];
            startedBy: string;
            /** Format: date-time */
            startedAt: string;
        };
        RunTestSetInput: {
            with: {
                revision?: "draft" | number;
                model?: string;
            }[];
            key?: string;
        };
        ListTestRunsResponse: {
            runs: {
                id: string;
                with: {
                    revision?: "draft" | number;
                    model?: string;
                }[];
                revisions: number[];
                startedBy: string;
                /** Format: date-time */
                startedAt: string;
            }[];
        };
        GetTestRunResponse: {
            id: string;
            with: {
                revision?: "draft" | number;
                model?: string;
            }[];
            revisions: number[];
            startedBy: string;
            /** Format: date-time */
            startedAt: string;
            rows: {
                text: string;
                results: (components["schemas"]["TurnResult"] | null)[];
            }[];
        };
        ListSubAgentsResponse: {
            subAgents: {
                sessionId: string;
                agentId: string;
                agentName: string;
                title: string;
                status: components["schemas"]["SessionStatus"];
                toolCallId: string;
                atWork: boolean;
                /** Format: date-time */
                startedAt: string;
            }[];
            waiting: {
                sessionId: string;
                agentId: string;
                call: components["schemas"]["Call"];
            }[];
        };
        ListGrantsResponse: {
            grants: components["schemas"]["Grant"][];
        };
        RevokeGrantResponse: {
            grantId: string;
        };
        ListSessionGrantsResponse: {
            grants: components["schemas"]["Grant"][];
        };
        RevokeSessionGrantResponse: {
            grantId: string;
        };
        PostChatInput: {
            id: string;
            messages: {
                id?: string;
                role: string;
                /** @default [] */
                parts?: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[];
            }[];
            /**
             * @default submit-message
             * @enum {string}
             */
            trigger?: "submit-message" | "regenerate-message";
            messageId?: string | null;
            agentId?: string;
            clientTools?: {
                name: string;
                /** @default  */
                description?: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                outputSchema?: {
                    [key: string]: unknown;
                };
            }[];
        };
        ListConnectionsResponse: {
            connections: components["schemas"]["Connection"][];
        };
        BeginConnectResponse: {
            attemptId: string;
            /** @enum {string} */
            mode: "oauth" | "device" | "api_key";
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        BeginConnectInput: {
            integration: string;
            slug?: string;
            /** @enum {string} */
            mode?: "oauth" | "device" | "api_key";
            /** @enum {string} */
            sharing?: "workspace" | "user" | "session";
            opener?: string;
        };
        ConnectCallResponse: {
            attemptId: string;
            /** @enum {string} */
            mode: "oauth" | "device" | "api_key";
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ConnectCallInput: {
            /** @enum {string} */
            mode?: "oauth" | "device" | "api_key";
            again?: boolean;
            opener?: string;
        };
        GetConnectionOfCallResponse: {
            integration: string;
            slug: string;
            service: string;
            /** @enum {string} */
            state: "connected" | "available" | "not_yours" | "needs_setup" | "removed";
            attempt?: {
                attemptId: string;
                /** @enum {string} */
                mode: "oauth" | "device" | "api_key";
                /** Format: date-time */
                expiresAt: string;
            };
        };
        GetConnectAttemptResponse: {
            attemptId: string;
            /** @enum {string} */
            state: "open" | "connected" | "failed" | "expired";
            words?: string;
        };
        DropConnectAttemptResponse: {
            attemptId: string;
            /** @enum {string} */
            state: "open" | "connected" | "failed" | "expired";
            words?: string;
        };
        RevokeConnectionResponse: {
            connectionId: string;
            /** @enum {string} */
            atProvider: "revoked" | "unknown";
        };
        DeleteConnectionResponse: {
            connectionId: string;
            /** @enum {string} */
            atProvider: "revoked" | "unknown";
        };
        ListIntegrationsResponse: {
            integrations: {
                integration: string;
                service: string;
                description?: string;
                /** @enum {string} */
                state: "ready" | "needs_auth" | "needs_input" | "needs_setup";
                modes: ("oauth" | "device" | "api_key")[];
                scopes: string[];
                /** @enum {string} */
                sharing: "workspace" | "user" | "session";
                own: boolean;
                /** Format: uri */
                redirectUri: string;
                connections: {
                    slug: string;
                    /** @enum {string} */
                    state: "active" | "needs_auth" | "revoked";
                }[];
            }[];
        };
        GetIntegrationResponse: {
            config: {
                integration: string;
                service: string;
                description?: string;
                /** Format: uri */
                apiBase: string;
                /** @default [] */
                origins: string[];
                /**
                 * @default user
                 * @enum {string}
                 */
                sharing: "workspace" | "user" | "session";
                oauth?: {
                    /** Format: uri */
                    issuer?: string;
                    /** Format: uri */
                    authorizationEndpoint?: string;
                    /** Format: uri */
                    tokenEndpoint?: string;
                    /** Format: uri */
                    revocationEndpoint?: string;
                    /** Format: uri */
                    deviceAuthorizationEndpoint?: string;
                    /**
                     * @default [
                     *       "authorization_code"
                     *     ]
                     */
                    grants: ("authorization_code" | "device_code")[];
                    /** @default  */
                    clientId: string;
                    /**
                     * @default client_secret_basic
                     * @enum {string}
                     */
                    clientAuth: "client_secret_basic" | "client_secret_post" | "none";
                    /** @default [] */
                    scopes: string[];
                    /** Format: uri */
                    resource?: string;
                    /** @default {} */
                    parameters: {
                        [key: string]: string;
                    };
                };
                apiKey?: {
                    fields: {
                        name: string;
                        label: string;
                        help?: string;
                        /** @default false */
                        plain: boolean;
                    }[];
                    header: {
                        name: string;
                        value: string;
                        /** @default false */
                        basic: boolean;
                    };
                };
                mcp?: {
                    /** Format: uri */
                    url: string;
                    scopes?: string[];
                    clientId?: string;
                };
                account?: {
                    path: string;
                    field: string;
                };
            };
            hasClientSecret: boolean;
            own: boolean;
        };
        SaveIntegrationResponse: {
            integration: string;
            service: string;
            description?: string;
            /** @enum {string} */
            state: "ready" | "needs_auth" | "needs_input" | "needs_setup";
            modes: ("oauth" | "device" | "api_key")[];
            scopes: string[];
            /** @enum {string} */
            sharing: "workspace" | "user" | "session";
            own: boolean;
            /** Format: uri */
            redirectUri: string;
            connections: {
                slug: string;
                /** @enum {string} */
                state: "active" | "needs_auth" | "revoked";
            }[];
        };
        SaveIntegrationInput: {
            config: unknown;
            clientSecret?: string;
        };
        RemoveIntegrationResponse: {
            integration: string;
        };
        ReadHttpToolResponse: {
            name: string;
            title?: string;
            /** @default  */
            description: string;
            inputSchema: {
                [key: string]: unknown;
            };
            outputSchema?: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            approval?: "ask" | "auto";
        };
        ReadHttpToolInput: {
            /** Format: uri */
            url: string;
        };
        TestHttpToolResponse: {
            /** Format: date-time */
            at: string;
            ms: number;
            status?: number;
            error?: string;
            body?: string;
        };
        TestHttpToolInput: {
            /** Format: uri */
            url: string;
            name: string;
            agentId: string;
            input: {
                [key: string]: unknown;
            };
        };
        ListMcpServersResponse: {
            servers: components["schemas"]["McpServer"][];
            missing: {
                server: string;
                agents: {
                    agentId: string;
                    displayName: string;
                }[];
            }[];
        };
        CheckMcpServerResponse: {
            server: string;
            service: string;
            /** @enum {string} */
            kind: "http" | "program";
            about: string;
            health: {
                /** @constant */
                state: "unchecked";
            } | {
                /** @enum {string} */
                state: "ok" | "failed" | "account";
                /** Format: date-time */
                at: string;
                tookMs: number;
                error?: string;
            };
            tools: number;
            changed: number;
            added: number;
            agents: {
                agentId: string;
                displayName: string;
            }[];
            offers: {
                name: string;
                title?: string;
                description: string;
                inputSchema: {
                    [key: string]: unknown;
                };
                /** Format: date-time */
                acceptedAt?: string;
                acceptedBy?: string;
                offered?: {
                    digest: string;
                    changes: components["schemas"]["ConfigChange"][];
                };
            }[];
            resources: boolean;
            prompts: boolean;
            /** @enum {string} */
            found: "ok" | "failed" | "account";
        };
        InspectMcpServerResponse: {
            /** @enum {string} */
            state: "ok" | "failed" | "account";
            tookMs: number;
            name?: string;
            tools: {
                name: string;
                title?: string;
                description: string;
            }[];
            error?: string;
        };
        InspectMcpServerInput: {
            /** Format: uri */
            url: string;
        };
        AcceptMcpToolInput: {
            tool: string;
            digest: string;
        };
        ListHostedPluginsResponse: {
            plugins: components["schemas"]["PluginStatus"][];
        };
        ListProtosResponse: {
            files: {
                name: string;
                text: string;
            }[];
        };
        InspectPluginResponse: {
            name: string;
            source: string;
            version: string;
            about: {
                version: string;
                description: string;
                author: string;
                icon?: string;
                /** @enum {string} */
                type: "local" | "remote";
            };
            capabilities: ("model" | "tools" | "hooks" | "views")[];
            events: string[];
            tools: {
                name: string;
                description: string;
            }[];
            views: {
                name: string;
                label: string;
            }[];
            settings: {
                name: string;
                /** @enum {string} */
                type: "string" | "number" | "bool";
                /** @enum {string} */
                ui_type: "text" | "number" | "checkbox" | "radio" | "select";
                required: boolean;
                default?: string;
                description?: string;
                options?: string[];
                option_labels?: {
                    [key: string]: string;
                };
                pattern?: string;
                placeholder?: string;
                api_source?: string;
            }[];
            skipped: {
                name: string;
                reason: string;
            }[];
            problem?: string;
            plainText: boolean;
            digest: string;
        };
        InspectPluginInput: {
            source: string;
            pin?: string;
            ca?: string;
            /** @default {} */
            settings?: {
                [key: string]: string | number | boolean;
            };
        };
        AddPluginInput: {
            source: string;
            pin?: string;
            ca?: string;
            /** @default {} */
            settings?: {
                [key: string]: string | number | boolean;
            };
            /** @default false */
            failClosed?: boolean;
            digest: string;
        };
        ChangePluginInput: {
            source?: string;
            pin?: string | null;
            ca?: string | null;
            failClosed?: boolean;
            disabled?: boolean;
        };
        RemovePluginResponse: {
            plugin: string;
        };
        InspectAddedPluginResponse: {
            name: string;
            source: string;
            version: string;
            about: {
                version: string;
                description: string;
                author: string;
                icon?: string;
                /** @enum {string} */
                type: "local" | "remote";
            };
            capabilities: ("model" | "tools" | "hooks" | "views")[];
            events: string[];
            tools: {
                name: string;
                description: string;
            }[];
            views: {
                name: string;
                label: string;
            }[];
            settings: {
                name: string;
                /** @enum {string} */
                type: "string" | "number" | "bool";
                /** @enum {string} */
                ui_type: "text" | "number" | "checkbox" | "radio" | "select";
                required: boolean;
                default?: string;
                description?: string;
                options?: string[];
                option_labels?: {
                    [key: string]: string;
                };
                pattern?: string;
                placeholder?: string;
                api_source?: string;
            }[];
            skipped: {
                name: string;
                reason: string;
            }[];
            problem?: string;
            plainText: boolean;
            digest: string;
        };
        AcceptPluginInput: {
            digest: string;
        };
        ListPluginSettingsResponse: {
            name: string;
            schema: {
                name: string;
                /** @enum {string} */
                type: "string" | "number" | "bool";
                /** @enum {string} */
                ui_type: "text" | "number" | "checkbox" | "radio" | "select";
                required: boolean;
                default?: string;
                description?: string;
                options?: string[];
                option_labels?: {
                    [key: string]: string;
                };
                pattern?: string;
                placeholder?: string;
                api_source?: string;
            }[];
            settings: {
                [key: string]: string;
            };
            fixed: string[];
        }[];
        SavePluginSettingsResponse: {
            /** @constant */
            status: "saved";
        };
        SavePluginSettingsInput: {
            settings: {
                [key: string]: string | number | boolean;
            };
        };
        FindSettingOptionsResponse: {
            value: string;
            label: string;
        }[];
        ListViewsResponse: {
            plugin: string;
            name: string;
            label: string;
            icon: string;
            /** @enum {string} */
            scope: "workspace" | "global";
        }[];
        RenderViewResponse: {
            view: {
                plugin: string;
                name: string;
                label: string;
                icon: string;
                /** @enum {string} */
                scope: "workspace" | "global";
            };
            routes: {
                method: string;
                path: string;
            }[];
            components: components["schemas"]["ViewComponent"][];
        };
        ListAgentsResponse: {
            agents: components["schemas"]["Agent"][];
        };
        CreateAgentInput: {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /**
             * @default chat
             * @constant
             */
            type?: "chat";
            /** @default {} */
            chat?: components["schemas"]["ChatConfigInput"];
        } | {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /** @constant */
            type: "external";
            external: {
                /** Format: uri */
                inputUrl: string;
                /** Format: uri */
                callbackBaseUrl?: string;
                /** Format: uri */
                checkUrl?: string;
                /** @default 0 */
                retries?: number;
                /** @enum {string} */
                activeItem?: "onChange" | "everyMessage";
                redact?: string[];
                history?: number;
            };
        };
        UpdateAgentInput: {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /**
             * @default chat
             * @constant
             */
            type?: "chat";
            /** @default {} */
            chat?: components["schemas"]["ChatConfigInput"];
            revision?: number;
            updatedAt?: string;
            additional_context?: unknown;
        } | {
            agentId: string;
            displayName: string;
            description?: string;
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
            };
            /** @constant */
            type: "external";
            external: {
                /** Format: uri */
                inputUrl: string;
                /** Format: uri */
                callbackBaseUrl?: string;
                /** Format: uri */
                checkUrl?: string;
                /** @default 0 */
                retries?: number;
                /** @enum {string} */
                activeItem?: "onChange" | "everyMessage";
                redact?: string[];
                history?: number;
            };
            revision?: number;
            updatedAt?: string;
            additional_context?: unknown;
        };
        ListAgentRevisionsResponse: {
            revisions: components["schemas"]["AgentRevision"][];
        };
        RestoreAgentRevisionInput: {
            base: number;
            note?: string;
        };
        SaveAgentDraftInput: {
            config: components["schemas"]["AgentConfigInput"];
            base: number;
            version?: number;
        };
        PublishAgentInput: {
            base: number;
            version?: number;
            note?: string;
        };
        CompareAgentRevisionsResponse: {
            changes: components["schemas"]["ConfigChange"][];
            widens: string[];
            warnings?: {
                field: string;
                message: string;
            }[];
        };
        ListToolsResponse: {
            tools: components["schemas"]["Tool"][];
        };
        ListPluginsResponse: {
            plugins: {
                name: string;
                description?: string;
                handlers?: string[];
            }[];
        };
        ListCatalogueResponse: {
            entries: components["schemas"]["CatalogueItem"][];
        };
        CreateCatalogueEntryInput: {
            slug: string;
            /** @constant */
            kind: "tool";
            name: string;
            /** @default  */
            description?: string;
            data: {
                parameters: {
                    tool: {
                        name: string;
                        /** @constant */
                        where: "external";
                        title?: string;
                        description: string;
                        inputSchema: {
                            [key: string]: unknown;
                        };
                        outputSchema?: {
                            [key: string]: unknown;
                        };
                        /** Format: uri */
                        url: string;
                        /** @enum {string} */
                        approval?: "ask" | "auto";
                        deadlineSeconds?: number;
                        /** @default 0 */
                        retries?: number;
                        duration?: number;
                    } | {
                        name: string;
                        /** @constant */
                        where: "browser";
                        title?: string;
                        description: string;
                        inputSchema: {
                            [key: string]: unknown;
                        };
                        outputSchema: {
                            [key: string]: unknown;
                        };
                        render: {
                            kind: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        approval?: "ask" | "auto";
                        deadlineSeconds?: number;
                        duration?: number;
                    };
                };
            };
        } | {
            slug: string;
            /** @constant */
            kind: "skill";
            name: string;
            /** @default  */
            description?: string;
            data: {
                parameters: {
                    text: string;
                };
            };
        };
        UpdateCatalogueEntryInput: {
            slug: string;
            base?: string;
            /** @constant */
            kind: "tool";
            name: string;
            /** @default  */
            description?: string;
            data: {
                parameters: {
                    tool: {
                        name: string;
                        /** @constant */
                        where: "external";
                        title?: string;
                        description: string;
                        inputSchema: {
                            [key: string]: unknown;
                        };
                        outputSchema?: {
                            [key: string]: unknown;
                        };
                        /** Format: uri */
                        url: string;
                        /** @enum {string} */
                        approval?: "ask" | "auto";
                        deadlineSeconds?: number;
                        /** @default 0 */
                        retries?: number;
                        duration?: number;
                    } | {
                        name: string;
                        /** @constant */
                        where: "browser";
                        title?: string;
                        description: string;
                        inputSchema: {
                            [key: string]: unknown;
                        };
                        outputSchema: {
                            [key: string]: unknown;
                        };
                        render: {
                            kind: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @enum {string} */
                        approval?: "ask" | "auto";
                        deadlineSeconds?: number;
                        duration?: number;
                    };
                };
            };
        } | {
            slug: string;
            base?: string;
            /** @constant */
            kind: "skill";
            name: string;
            /** @default  */
            description?: string;
            data: {
                parameters: {
                    text: string;
                };
            };
        };
        ReceiveCallbackResponse: {
            /** @constant */
            ok: true;
            messageId: string;
        };
        FinishTaskResponse: {
            /** @constant */
            ok: true;
            messageId: string;
        };
        FinishTaskInput: {
            output: unknown;
        };
        ListExternalSessionsResponse: {
            sessions: {
                sessionId: string;
                title?: string;
                /** Format: date-time */
                updatedAt?: string;
            }[];
        };
        PostReplyResponse: {
            /** @constant */
            ok: true;
            messageId: string;
        };
        PostReplyInput: {
            /** @default  */
            text?: string;
            inReplyTo?: string;
            /** @default [] */
            fileIds?: string[];
        };
        OpenExternalCallResponse: {
            toolCallId: string;
            /** @enum {string} */
            state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
            /** Format: date-time */
            deadline: string;
            /** Format: uri */
            callUrl: string;
            /** Format: uri */
            fetchUrl?: string;
        };
        OpenExternalCallInput: {
            title: string;
            detail?: string;
            deadlineSeconds?: number;
            /** @enum {string} */
            onDeadline?: "declined" | "not-connected" | "error";
            answerPolicy?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            key?: string;
            /** @constant */
            kind: "approval";
            input?: unknown;
            inputSchema?: {
                [key: string]: unknown;
            };
        } | {
            title: string;
            detail?: string;
            deadlineSeconds?: number;
            /** @enum {string} */
            onDeadline?: "declined" | "not-connected" | "error";
            answerPolicy?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            key?: string;
            /** @constant */
            kind: "question";
            question: {
                question: string;
                /** @enum {string} */
                inputType?: "single-select" | "multi-select" | "text";
                options?: {
                    label: string;
                    description?: string;
                }[];
                allowFreeform?: boolean;
            };
        } | {
            title: string;
            detail?: string;
            deadlineSeconds?: number;
            /** @enum {string} */
            onDeadline?: "declined" | "not-connected" | "error";
            answerPolicy?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            key?: string;
            /** @constant */
            kind: "form";
            outputSchema: {
                [key: string]: unknown;
            };
        } | {
            title: string;
            detail?: string;
            deadlineSeconds?: number;
            /** @enum {string} */
            onDeadline?: "declined" | "not-connected" | "error";
            answerPolicy?: {
                roles?: ("owner" | "editor" | "operator")[];
                people?: string[];
                notAsker?: boolean;
                links?: boolean;
            };
            key?: string;
            /** @constant */
            kind: "connection";
            integration: string;
            slug?: string;
        };
        GetExternalCallResponse: {
            toolCallId: string;
            /** @enum {string} */
            kind: "approval" | "question" | "form" | "connection";
            /** @enum {string} */
            state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
            /** Format: date-time */
            deadline: string;
            key?: string;
            approved?: boolean;
            input?: unknown;
            output?: unknown;
            reason?: string;
            answeredBy?: string;
            /** @enum {string} */
            via?: "page" | "message" | "api" | "token" | "link" | "callback" | "client" | "deadline" | "server" | "cancel";
        };
        FetchWithAccountResponse: {
            status: number;
            url: string;
            headers: {
                [key: string]: string;
            };
            text?: string;
            base64?: string;
        };
        FetchWithAccountInput: {
            /**
             * @default GET
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** @description A complete URL, including the query. */
            url: string;
            /** @description Optional: Accept, Accept-Language, Content-Type, Prefer, Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, and headers that end with -Version. */
            headers?: {
                [key: string]: string;
            };
            /** @description Optional: an object or a list, which is sent as JSON, or text. */
            body?: string | {
                [key: string]: unknown;
            } | unknown[];
        };
        CancelExternalCallResponse: {
            toolCallId: string;
            /** @enum {string} */
            kind: "approval" | "question" | "form" | "connection";
            /** @enum {string} */
            state: "open" | "answered" | "approved" | "denied" | "declined" | "expired" | "cancelled" | "failed";
            /** Format: date-time */
            deadline: string;
            key?: string;
            approved?: boolean;
            input?: unknown;
            output?: unknown;
            reason?: string;
            answeredBy?: string;
            /** @enum {string} */
            via?: "page" | "message" | "api" | "token" | "link" | "callback" | "client" | "deadline" | "server" | "cancel";
        };
        SetAgentStatusResponse: {
            /** @constant */
            ok: true;
            /** Format: date-time */
            expiresAt?: string;
        };
        SetAgentStatusInput: {
            text: string;
            /** @default 60 */
            ttlSeconds?: number;
        };
        CallbackLinkResponse: {
            /** Format: uri */
            callbackUrl: string;
            signed: boolean;
        };
        ResendMessageInput: {
            messageId: string;
        };
        ListSecretsResponse: {
            secrets: {
                secretId: string;
                createdBy: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                retiresAt?: string;
            }[];
        };
        RotateSecretResponse: {
            secretId: string;
            secret: string;
        };
        RotateSecretInput: {
            /** @default 86400 */
            overlapSeconds?: number;
        };
        TestAgentResponse: {
            /** Format: date-time */
            at: string;
            ms: number;
            status?: number;
            error?: string;
            body?: string;
        };
        ListAuditResponse: {
            entries: {
                id: number;
                /** Format: date-time */
                at: string;
                sessionId: string;
                /** @enum {string} */
                action: "message.injected" | "call.opened" | "account.used" | "call.denied" | "call.allowed" | "call.granted" | "grant.made" | "grant.revoked" | "turn.rerun" | "turn.edit" | "turn.delete" | "session.branched" | "mcp.tool-changed" | "catalogue.created" | "catalogue.changed" | "catalogue.archived" | "wiki.changed" | "wiki.undone" | "plugin.added" | "plugin.changed" | "plugin.accepted" | "plugin.removed" | "secret.saved" | "secret.removed" | "model.saved" | "model.removed" | "link-secret.rotated" | "workspace.created" | "workspace.renamed";
                actor: string;
                credential: string;
                messageId: string;
                toolCallId: string | null;
                toolName: string | null;
                pattern: string | null;
                sessionTitle: string | null;
            }[];
            nextBefore: number | null;
        };
        CheckSessionResponse: {
            sessionId: string;
            /** @enum {string} */
            outcome: "new" | "attach" | "revive" | "taken";
            agentId?: string;
            external?: {
                exists: boolean;
                title?: string;
            } | {
                error: string;
            };
        };
        ListKeysResponse: {
            keys: components["schemas"]["ApiKey"][];
        };
        CreateKeyResponse: {
            key: components["schemas"]["ApiKey"];
            secret: string;
        };
        CreateKeyInput: {
            name: string;
            /**
             * @default editor
             * @enum {string}
             */
            role?: "owner" | "editor" | "operator" | "viewer";
            outOfBand?: {
                /**
                 * @default high
                 * @enum {string}
                 */
                maxPriority?: "low" | "normal" | "high" | "critical";
                /**
                 * @default [
                 *       "external"
                 *     ]
                 */
                sources?: ("agent" | "system" | "external")[];
            };
        };
        RevokeKeyResponse: {
            keyId: string;
        };
        ListMembersResponse: {
            members: components["schemas"]["Member"][];
        };
        ListInvitesResponse: {
            invites: {
                id: string;
                /** @enum {string} */
                role: "owner" | "editor" | "operator" | "viewer";
                createdBy: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            }[];
        };
        CreateInviteResponse: {
            id: string;
            /** Format: uri */
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        CreateInviteInput: {
            /** @enum {string} */
            role: "owner" | "editor" | "operator" | "viewer";
            /** @default 604800 */
            ttlSeconds?: number;
        };
        RevokeInviteResponse: {
            id: string;
        };
        ChangeRoleInput: {
            /** @enum {string} */
            role: "owner" | "editor" | "operator" | "viewer";
        };
        RemoveMemberResponse: {
            userId: string;
        };
        ListSignInsResponse: {
            signIns: {
                id: string;
                userAgent: string;
                /** Format: email */
                email?: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
                current: boolean;
            }[];
        };
        EndSignInsResponse: {
            ended: number;
        };
        EndSignInResponse: {
            signInId: string;
        };
        ListTokensResponse: {
            tokens: {
                tokenId: string;
                subject: string;
                scopes: ("read" | "send" | "answer")[];
                createdBy: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            }[];
        };
        CreateTokenResponse: {
            token: string;
            /** Format: date-time */
            expiresAt: string;
            tokenId: string;
        };
        CreateTokenInput: {
            subject: string;
            scopes: ("read" | "send" | "answer")[];
            /** @default 3600 */
            ttlSeconds?: number;
        };
        RevokeTokenResponse: {
            tokenId: string;
        };
        DeleteSubjectResponse: {
            subject: string;
            sessions: number;
            tokens: number;
            elsewhere: number;
            remaining: number;
        };
        ListWebhooksResponse: {
            webhooks: {
                webhookId: string;
                url: string;
                events: ("call.opened" | "call.expiring" | "call.settled" | "turn.failed" | "session.parked" | "message.received" | "out_of_band.held")[];
                createdBy: string;
                /** Format: date-time */
                createdAt: string;
            }[];
        };
        CreateWebhookResponse: {
            webhook: {
                webhookId: string;
                url: string;
                events: ("call.opened" | "call.expiring" | "call.settled" | "turn.failed" | "session.parked" | "message.received" | "out_of_band.held")[];
                createdBy: string;
                /** Format: date-time */
                createdAt: string;
            };
            secret: string;
        };
        CreateWebhookInput: {
            /** Format: uri */
            url: string;
            /**
             * @default [
             *       "call.opened",
             *       "call.expiring",
             *       "call.settled",
             *       "turn.failed",
             *       "session.parked",
             *       "message.received",
             *       "out_of_band.held"
             *     ]
             */
            events?: ("call.opened" | "call.expiring" | "call.settled" | "turn.failed" | "session.parked" | "message.received" | "out_of_band.held")[];
        };
        DeleteWebhookResponse: {
            webhookId: string;
        };
        RotateWebhookSecretResponse: {
            secretId: string;
            secret: string;
        };
        RotateWebhookSecretInput: {
            /** @default 86400 */
            overlapSeconds?: number;
        };
        ListAllDeliveriesResponse: {
            deliveries: {
                id: string;
                toolCallId?: string;
                messageId?: string;
                webhookId?: string;
                /** @enum {string} */
                kind: "call.opened" | "call.settled" | "message" | "webhook";
                event?: string;
                to: string;
                /** @enum {string} */
                state: "pending" | "delivered" | "failed" | "withdrawn";
                attempts: {
                    /** Format: date-time */
                    at: string;
                    ms: number;
                    status?: number;
                    error?: string;
                    body?: string;
                }[];
                retries: number;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                nextAt?: string;
                sessionId: string;
                title: string;
                toolName?: string;
            }[];
            nextCursor: string | null;
        };
        ListModelsResponse: {
            defaultModel: string;
            providers: {
                name: string;
                kind: string;
                title: string;
                /** @enum {string} */
                source: "workspace" | "server";
                models: string[];
                values?: {
                    [key: string]: string;
                };
                secrets?: string[];
                savedBy?: string;
                /** Format: date-time */
                savedAt?: string;
            }[];
            kinds: {
                kind: string;
                title: string;
                named: boolean;
                fields: {
                    name: string;
                    label: string;
                    secret: boolean;
                    required: boolean;
                    hint?: string;
                    placeholder?: string;
                }[];
            }[];
        };
        SaveModelProviderResponse: {
            name: string;
        };
        SaveModelProviderInput: {
            kind?: string;
            values: {
                [key: string]: string;
            };
        };
        RemoveModelProviderResponse: {
            name: string;
        };
        TestModelResponse: {
            model: string;
            ok: boolean;
            text: string;
            code?: string;
            ms: number;
        };
        TestModelInput: {
            model: string;
        };
        ListWorkspaceSecretsResponse: {
            secrets: {
                name: string;
                savedBy: string;
                /** Format: date-time */
                savedAt: string;
            }[];
        };
        SaveWorkspaceSecretResponse: {
            name: string;
            savedBy: string;
            /** Format: date-time */
            savedAt: string;
        };
        SaveWorkspaceSecretInput: {
            value: string;
        };
        RemoveWorkspaceSecretResponse: {
            name: string;
        };
        GetWorkspaceResponse: {
            id: string;
            name: string;
            allowedOrigins: string[];
            spendCaps: {
                sessionPerDay: number | null;
                subjectPerDay: number | null;
                workspacePerMonth: number | null;
            };
            toolRules: {
                tool?: string;
                /** @enum {string} */
                mode?: "auto" | "ask";
                deny?: string[];
                allow?: string[];
            }[];
            toolSettings: {
                timeoutSeconds?: number;
                batchTimeoutSeconds?: number;
                concurrency?: number;
                retry?: {
                    maxAttempts?: number;
                    initialDelaySeconds?: number;
                    maxDelaySeconds?: number;
                    multiplier?: number;
                    maxRetryAfterSeconds?: number;
                };
            };
            outOfBand: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
                pending?: {
                    visible?: number;
                    urgent?: number;
                    held?: number;
                };
                prompt?: {
                    full?: number;
                    maxFull?: number;
                    characters?: number;
                };
            };
            retentionDays: number | null;
            buildKit: boolean;
            defaultModel: string | null;
            spent: {
                today: number;
                thisMonth: number;
            };
        };
        UpdateWorkspaceResponse: {
            id: string;
            name: string;
            allowedOrigins: string[];
            spendCaps: {
                sessionPerDay: number | null;
                subjectPerDay: number | null;
                workspacePerMonth: number | null;
            };
            toolRules: {
                tool?: string;
                /** @enum {string} */
                mode?: "auto" | "ask";
                deny?: string[];
                allow?: string[];
            }[];
            toolSettings: {
                timeoutSeconds?: number;
                batchTimeoutSeconds?: number;
                concurrency?: number;
                retry?: {
                    maxAttempts?: number;
                    initialDelaySeconds?: number;
                    maxDelaySeconds?: number;
                    multiplier?: number;
                    maxRetryAfterSeconds?: number;
                };
            };
            outOfBand: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
                pending?: {
                    visible?: number;
                    urgent?: number;
                    held?: number;
                };
                prompt?: {
                    full?: number;
                    maxFull?: number;
                    characters?: number;
                };
            };
            retentionDays: number | null;
            buildKit: boolean;
            defaultModel: string | null;
            spent: {
                today: number;
                thisMonth: number;
            };
        };
        UpdateWorkspaceInput: {
            name?: string;
            allowedOrigins?: string[];
            spendCaps?: {
                sessionPerDay?: number | null;
                subjectPerDay?: number | null;
                workspacePerMonth?: number | null;
            };
            toolRules?: {
                tool?: string;
                /** @enum {string} */
                mode?: "auto" | "ask";
                deny?: string[];
                allow?: string[];
            }[];
            toolSettings?: {
                timeoutSeconds?: number;
                batchTimeoutSeconds?: number;
                concurrency?: number;
                retry?: {
                    maxAttempts?: number;
                    initialDelaySeconds?: number;
                    maxDelaySeconds?: number;
                    multiplier?: number;
                    maxRetryAfterSeconds?: number;
                };
            };
            outOfBand?: {
                /** @enum {string} */
                mode?: "off" | "approve" | "on";
                /** @enum {string} */
                minPriority?: "low" | "normal" | "high" | "critical";
                muted?: {
                    /** @enum {string} */
                    source: "user" | "agent" | "system" | "external";
                    sourceId?: string;
                }[];
                ttlSeconds?: number | null;
                pending?: {
                    visible?: number;
                    urgent?: number;
                    held?: number;
                };
                prompt?: {
                    full?: number;
                    maxFull?: number;
                    characters?: number;
                };
            };
            retentionDays?: number | null;
            buildKit?: boolean;
            defaultModel?: string | null;
        };
        ListWorkspacesResponse: {
            workspaces: {
                id: string;
                name: string;
                current: boolean;
            }[];
        };
        CreateWorkspaceResponse: {
            id: string;
            name: string;
            key?: {
                key: components["schemas"]["ApiKey"];
                secret: string;
            };
        };
        CreateWorkspaceInput: {
            name: string;
        };
        DeleteWorkspaceResponse: {
            id: string;
        };
        TestToolRulesResponse: {
            /** @enum {string} */
            decision: "denied" | "allowed" | "ask" | "auto" | "unsure" | "agent";
            pattern?: string;
        };
        TestToolRulesInput: {
            toolRules: {
                tool?: string;
                /** @enum {string} */
                mode?: "auto" | "ask";
                deny?: string[];
                allow?: string[];
            }[];
            tool: string;
            /** @default {} */
            parameters?: {
                [key: string]: unknown;
            };
        };
        RotateLinkSecretResponse: {
            /** Format: date-time */
            rotatedAt: string;
        };
        ListWikisResponse: {
            wikis: components["schemas"]["Wiki"][];
        };
        CreateWikiInput: {
            name: string;
        };
        GetWikiResponse: {
            name: string;
            tiddlers: number;
            revision: number;
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            changedAt: string;
            tags: {
                tag: string;
                count: number;
            }[];
        };
        DeleteWikiResponse: {
            name: string;
        };
        ListTiddlersResponse: {
            tiddlers: components["schemas"]["SkinnyTiddler"][];
            total: number;
            nextOffset: number | null;
        };
        ReadTiddlerResponse: {
            html: string | null;
            problem?: string;
            tiddler: components["schemas"]["Tiddler"];
        };
        ImportWikiResponse: {
            wiki: string;
            revision: number;
            imported: number;
            skipped: {
                title: string;
                why: string;
            }[];
            skippedCount: number;
        };
        ListWikiChangesResponse: {
            changes: components["schemas"]["WikiChange"][];
            nextBefore: number | null;
        };
        RenderWikitextResponse: {
            html: string | null;
            problem?: string;
        };
        RenderWikitextInput: {
            text: string;
            wiki?: string;
            title?: string;
        };
        OpenapiResponse: {
            /** @constant */
            openapi: "3.1.0";
            paths: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description AGENT_NOT_FOUND, INVALID_SESSION_ID, SESSION_AGENT_MISMATCH, SESSION_ID_REQUIRED */
        AgentNotFoundOrInvalidSessionIdOrSessionAgentMismatchOrSessionIdRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description UNAUTHENTICATED */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description FORBIDDEN, FOREIGN_ORIGIN */
        ForbiddenOrForeignOrigin: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description NOT_FOUND */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description INVALID_INPUT */
        InvalidInput: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description RATE_LIMITED */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description UNAVAILABLE */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description EXPIRED */
        Expired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description CONFLICT */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description TOO_LARGE */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description EMPTY_MESSAGE */
        EmptyMessage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description SESSION_BUSY */
        SessionBusy: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description INVALID_INPUT, KEY_REUSED */
        InvalidInputOrKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description CONFLICT, SESSION_BUSY */
        ConflictOrSessionBusy: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description ALREADY_SETTLED, NOT_ANSWERABLE */
        AlreadySettledOrNotAnswerable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description ALREADY_SETTLED */
        AlreadySettled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description UNSUPPORTED_TYPE */
        UnsupportedType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description AGENT_NOT_FOUND, EMPTY_MESSAGE, INVALID_SESSION_ID, SESSION_AGENT_MISMATCH */
        AgentNotFoundOrEmptyMessageOrInvalidSessionIdOrSessionAgentMismatch: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description ALREADY_SETTLED, CONFLICT, NOT_ANSWERABLE */
        AlreadySettledOrConflictOrNotAnswerable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description NOT_ANSWERABLE */
        NotAnswerable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description FORBIDDEN */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description EMPTY_MESSAGE, MALFORMED_JSON */
        EmptyMessageOrMalformedJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description MALFORMED_JSON */
        MalformedJson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description CONFLICT, NOT_ANSWERABLE */
        ConflictOrNotAnswerable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description AGENT_NOT_FOUND, INVALID_SESSION_ID */
        AgentNotFoundOrInvalidSessionId: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSessionResponse"];
                };
            };
            400: components["responses"]["AgentNotFoundOrInvalidSessionIdOrSessionAgentMismatchOrSessionIdRequired"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteSessionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteSessionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                cursor?: string;
                status?: "idle" | "running" | "parked" | "failed";
                trouble?: boolean | string;
                waiting?: boolean | string;
                agentId?: string;
                subject?: string;
                q?: string;
                parent?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSession: {
        parameters: {
            query?: {
                before?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    renameSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameSessionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenameSessionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    markRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkReadInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkReadResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    pinRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinRevisionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PinRevisionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    handSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HandSessionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandSessionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    layOverlay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LayOverlayInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LayOverlayResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendMessageInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendReceipt"];
                };
            };
            400: components["responses"]["EmptyMessage"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SessionBusy"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveMessageResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelTurnInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelTurnResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryTurnInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetryTurnResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    rerunTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RerunTurnInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SendReceipt"];
                };
            };
            400: components["responses"]["EmptyMessage"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSessionBusy"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTurnResult: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnResult"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeTurn: {
        parameters: {
            query?: {
                calls?: string;
            };
            header?: never;
            path: {
                sessionId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveTurnResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSessionBusy"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    branchSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BranchSessionInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BranchSessionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSessionBusy"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listLog: {
        parameters: {
            query?: {
                before?: number;
                limit?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListLogResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getContext: {
        parameters: {
            query?: {
                shown?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListDeliveriesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportSession: {
        parameters: {
            query?: {
                events?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON Lines with the schema `x-line`, ending with `end`; ignore unknown types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    followEvents: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-Sent Events with `data` of the schema `x-event-data`; ignore unknown types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessionsList: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsListInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsListResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessionsGet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsGetInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsGetResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessionsRename: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsRenameInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsRenameResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessionsSend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsSendInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsSendResponse"];
                };
            };
            400: components["responses"]["EmptyMessage"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["SessionBusy"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessionsCancel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsCancelInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsCancelResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sessionsEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionsEventsInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionsEventsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerCallInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answered"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettledOrNotAnswerable"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerCalls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerCallsInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerCallsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    reviewProposal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewProposalInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReviewProposalResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    extendCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtendCallInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtendCallResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettled"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answered"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettledOrNotAnswerable"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerLinkResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    answerExternalCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                capability: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AnswerExternalCallInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Answered"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettled"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWaiting: {
        parameters: {
            query?: {
                mine?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWaitingResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadFile: {
        parameters: {
            query: {
                name: string;
                key?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOutOfBand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOutOfBandResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendOutOfBand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendOutOfBandInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OobReceipt"];
                };
            };
            400: components["responses"]["EmptyMessage"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeOutOfBand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                oobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveOutOfBandResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveOutOfBand: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                oobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutOfBand"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOobPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OobPolicy"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    setOobPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetOobPolicyInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OobPolicy"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOobEdges: {
        parameters: {
            query?: {
                hours?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOobEdgesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOobMessages: {
        parameters: {
            query?: {
                hours?: number;
                to?: string;
                from?: string;
                source?: "user" | "agent" | "system" | "external";
                sourceId?: string;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListOobMessagesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlarms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAlarmsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelAlarm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                alarmId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAlarmResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPrompts: {
        parameters: {
            query?: {
                before?: number;
                messageId?: string;
                limit?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPromptsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                promptId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredPrompt"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    previewPrompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewPromptInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewPromptResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompareTurnInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareTurnResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSessionBusy"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    keepTrial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeepTrialResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTestSets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTestSetsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTestSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestSetInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTestSetResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveTestSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                testSetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveTestSetInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaveTestSetResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteTestSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                testSetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTestSetResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    addTestMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                testSetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddTestMessageInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddTestMessageResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTestRuns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                testSetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTestRunsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    runTestSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                testSetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunTestSetInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTestSetResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTestRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                testSetId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTestRunResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubAgents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSubAgentsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListGrantsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeGrantResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSessionGrants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSessionGrantsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeSessionGrant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                grantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeSessionGrantResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    postChat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostChatInput"];
            };
        };
        responses: {
            /** @description Server-Sent Events with `data` of the schema `x-event-data`; ignore unknown types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["AgentNotFoundOrEmptyMessageOrInvalidSessionIdOrSessionAgentMismatch"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrSessionBusy"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeChat: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-Sent Events with `data` of the schema `x-event-data`; ignore unknown types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListConnectionsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    beginConnect: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginConnectInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BeginConnectResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnectionOfCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetConnectionOfCallResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NotAnswerable"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    connectCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectCallInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectCallResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettledOrConflictOrNotAnswerable"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnectAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attemptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetConnectAttemptResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    dropConnectAttempt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attemptId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DropConnectAttemptResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeConnectionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteConnectionResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIntegrations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListIntegrationsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetIntegrationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveIntegrationInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaveIntegrationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeIntegration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                integration: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveIntegrationResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    readHttpTool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReadHttpToolInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadHttpToolResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    testHttpTool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestHttpToolInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestHttpToolResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMcpServers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMcpServersResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerOffer"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckMcpServerResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    inspectMcpServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectMcpServerInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectMcpServerResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptMcpTool: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                server: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptMcpToolInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["McpServerOffer"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHostedPlugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHostedPluginsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHostedPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    restartHostedPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProtos: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListProtosResponse"];
                };
            };
            422: components["responses"]["InvalidInput"];
            503: components["responses"]["Unavailable"];
        };
    };
    inspectPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InspectPluginInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectPluginResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPluginInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removePlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovePluginResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePluginInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    inspectAddedPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InspectAddedPluginResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptPlugin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plugin: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptPluginInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PluginDetails"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPluginSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPluginSettingsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    savePluginSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
                plugin: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SavePluginSettingsInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavePluginSettingsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    findSettingOptions: {
        parameters: {
            query?: {
                q?: string;
            };
            header?: never;
            path: {
                workspaceId: string;
                plugin: string;
                field: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FindSettingOptionsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listViews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListViewsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    renderView: {
        parameters: {
            query?: {
                params?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path: {
                workspaceId: string;
                plugin: string;
                view: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderViewResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgentInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentInContext"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgentInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgentRevisions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAgentRevisionsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                revision: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentRevision"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreAgentRevision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
                revision: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreAgentRevisionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAgentDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftState"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveAgentDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveAgentDraftInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftState"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    discardAgentDraft: {
        parameters: {
            query?: {
                version?: number;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftState"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishAgentInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agent"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    compareAgentRevisions: {
        parameters: {
            query?: {
                from?: "draft" | number;
                to?: "draft" | number;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompareAgentRevisionsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTools: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListToolsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlugins: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListPluginsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCatalogue: {
        parameters: {
            query?: {
                archived?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListCatalogueResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCatalogueEntry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCatalogueEntryInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCatalogueEntry: {
        parameters: {
            query?: {
                version?: string;
            };
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateCatalogueEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCatalogueEntryInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    archiveCatalogueEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogueEntry"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    receiveCallback: {
        parameters: {
            query?: {
                token?: string;
                key?: string;
                message?: string;
                inReplyTo?: string;
                contentType?: "text/vnd.tiddlywiki";
                webhookId?: string;
                webhookTimestamp?: string;
                webhookSignature?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiveCallbackResponse"];
                };
            };
            400: components["responses"]["EmptyMessage"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    finishTask: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinishTaskInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FinishTaskResponse"];
                };
            };
            400: components["responses"]["EmptyMessageOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listExternalSessions: {
        parameters: {
            query?: {
                query?: string;
            };
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListExternalSessionsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    postReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PostReplyInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostReplyResponse"];
                };
            };
            400: components["responses"]["EmptyMessageOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadReplyFile: {
        parameters: {
            query: {
                token?: string;
                name: string;
                key?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredFile"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedType"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSentFile: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path: {
                sessionId: string;
                fileId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    openExternalCall: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenExternalCallInput"];
            };
        };
        responses: {
            /** @description The key was already used */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenExternalCallResponse"];
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenExternalCallResponse"];
                };
            };
            400: components["responses"]["MalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInputOrKeyReused"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getExternalCall: {
        parameters: {
            query?: {
                token?: string;
                wait?: number;
            };
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExternalCallResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelExternalCall: {
        parameters: {
            query?: {
                token?: string;
            };
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelExternalCallResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AlreadySettled"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    fetchWithAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                toolCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FetchWithAccountInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchWithAccountResponse"];
                };
            };
            400: components["responses"]["MalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrNotAnswerable"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    setAgentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetAgentStatusInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetAgentStatusResponse"];
                };
            };
            400: components["responses"]["MalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    callbackLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackLinkResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendMessageInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resent"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSecretsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateSecretInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateSecretResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    testAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                agentId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestAgentResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                sessionId?: string;
                action?: "message.injected" | "call.opened" | "account.used" | "call.denied" | "call.allowed" | "call.granted" | "grant.made" | "grant.revoked" | "turn.rerun" | "turn.edit" | "turn.delete" | "session.branched" | "mcp.tool-changed" | "catalogue.created" | "catalogue.changed" | "catalogue.archived" | "wiki.changed" | "wiki.undone" | "plugin.added" | "plugin.changed" | "plugin.accepted" | "plugin.removed" | "secret.saved" | "secret.removed" | "model.saved" | "model.removed" | "link-secret.rotated" | "workspace.created" | "workspace.renamed";
                actor?: string;
                before?: number;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAuditResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkSession: {
        parameters: {
            query: {
                agentId: string;
                sessionId: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckSessionResponse"];
                };
            };
            400: components["responses"]["AgentNotFoundOrInvalidSessionId"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListKeysResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKeyInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateKeyResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeKeyResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListMembersResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInvites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInvitesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInviteInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateInviteResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                inviteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeInviteResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRoleInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveMemberResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSignIns: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSignInsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSignIns: {
        parameters: {
            query?: {
                others?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndSignInsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    endSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                signInId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndSignInResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTokensResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTokenInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTokenResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokeTokenResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportSubject: {
        parameters: {
            query?: {
                events?: string;
            };
            header?: never;
            path: {
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON Lines with the schema `x-line`, ending with `end`; ignore unknown types */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                subject: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteSubjectResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSecretResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllDeliveries: {
        parameters: {
            query?: {
                state?: "pending" | "delivered" | "failed" | "withdrawn";
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListAllDeliveriesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListModelsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveModelProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveModelProviderInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaveModelProviderResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeModelProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveModelProviderResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    testModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestModelInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestModelResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaceSecrets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWorkspaceSecretsResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    saveWorkspaceSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveWorkspaceSecretInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SaveWorkspaceSecretResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeWorkspaceSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveWorkspaceSecretResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWorkspaceResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkspaceInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWorkspaceResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkspace: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWorkspaceResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWorkspacesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkspaceInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWorkspaceResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    testToolRules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestToolRulesInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestToolRulesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateLinkSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateLinkSecretResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWikis: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWikisResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWiki: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWikiInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wiki"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWiki: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWikiResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWiki: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWikiResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTiddlers: {
        parameters: {
            query?: {
                search?: string;
                tag?: string;
                days?: number;
                order?: "title" | "modified";
                offset?: number;
                limit?: number;
            };
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTiddlersResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    readTiddler: {
        parameters: {
            query: {
                title: string;
            };
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReadTiddlerResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    importWiki: {
        parameters: {
            query?: {
                file?: string;
            };
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportWikiResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportWiki: {
        parameters: {
            query?: {
                format?: "json" | "html";
            };
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWikiChanges: {
        parameters: {
            query?: {
                before?: number;
                toolCallId?: string;
                limit?: number;
            };
            header?: never;
            path: {
                wiki: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWikiChangesResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    undoWikiChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wiki: string;
                changeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WikiChange"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    renderWikitext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenderWikitextInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenderWikitextResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Expired"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            422: components["responses"]["InvalidInput"];
            /** @description The server is not healthy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ForbiddenOrForeignOrigin"];
            422: components["responses"]["InvalidInput"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenapiResponse"];
                };
            };
            422: components["responses"]["InvalidInput"];
            503: components["responses"]["Unavailable"];
        };
    };
}
