// A plugin with one tool, roll_dice. README.md says how to build it, and docs/plugins-grpc.md describes the whole
// contract.
package main

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	pb "agentplatform/v1"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

const name = "dice"
const manifest = `
plugin "dice" {
  version     = "1.0.0"
  description = "Dice for games"
  author      = "Waystation"
  type        = "local"

  config_schema {
    field "sides" {
      type        = "number"
      default     = "6"
      description = "The number of sides of a die"
    }
  }
}`
const schema = `{"type": "object", "properties": {"count": {"type": "integer", "minimum": 1, "maximum": 100}}}`
const maxMessage = 16 * 1024 * 1024

// The number of sides, from the last Register.
var sides int64 = 6

type plugin struct {
	pb.UnimplementedPluginServer
}

func (plugin) Register(_ context.Context, request *pb.RegisterRequest) (*pb.RegisterResponse, error) {
	if text := request.Config["sides"]; text != "" {
		number, err := strconv.ParseInt(text, 10, 32)
		if err != nil || number < 2 {
			return nil, status.Errorf(codes.InvalidArgument, "“sides” is “%s”. Use a number from 2.", text)
		}
		atomic.StoreInt64(&sides, number)
	}
	return &pb.RegisterResponse{
		Name:         name,
		Capabilities: []pb.Capability{pb.Capability_TOOL_PROVIDER},
		Metadata:     map[string]string{"version": "1.0.0"},
	}, nil
}

func (plugin) Health(context.Context, *pb.HealthRequest) (*pb.HealthResponse, error) {
	return &pb.HealthResponse{Status: pb.Status_SERVING}, nil
}

func (plugin) GetManifest(context.Context, *pb.GetManifestRequest) (*pb.GetManifestResponse, error) {
	return &pb.GetManifestResponse{ManifestHcl: manifest}, nil
}

type tools struct {
	pb.UnimplementedToolProviderServer
}

func (tools) ListTools(context.Context, *pb.ListToolsRequest) (*pb.ListToolsResponse, error) {
	return &pb.ListToolsResponse{Tools: []*pb.ToolDefinition{{
		Name:                 "roll_dice",
		Description:          "Rolls dice, one if no count is given, and returns the points of each.",
		ParametersJsonSchema: schema,
	}}}, nil
}

func (tools) ExecuteTool(_ context.Context, request *pb.ExecuteToolRequest) (*pb.ExecuteToolResponse, error) {
	if request.Name != "roll_dice" {
		return failed(fmt.Sprintf("There is no tool “%s”.", request.Name))
	}
	arguments := struct{ Count int }{Count: 1}
	if err := json.Unmarshal([]byte(request.ArgumentsJson), &arguments); err != nil {
		return failed(err.Error())
	}
	if arguments.Count < 1 || arguments.Count > 100 {
		return failed("Roll 1 to 100 dice.")
	}
	points := make([]int64, arguments.Count)
	for index := range points {
		points[index] = 1 + rand.Int63n(atomic.LoadInt64(&sides))
	}
	result, err := json.Marshal(map[string]interface{}{"points": points})
	return &pb.ExecuteToolResponse{ResultJson: string(result)}, err
}

// failed returns an error that the model reads.
func failed(why string) (*pb.ExecuteToolResponse, error) {
	result, err := json.Marshal(why)
	return &pb.ExecuteToolResponse{ResultJson: string(result), IsError: true}, err
}

// onlyWith answers only calls that have the token, because other programs on this machine can reach the port too.
// It also turns a panic into an error of its call. Without this, a panic would end the program and fail all open calls.
// This plugin has no streams. Add a grpc.StreamInterceptor that does the same if yours has.
func onlyWith(token string) grpc.UnaryServerInterceptor {
	expected := []byte("Bearer " + token)
	return func(ctx context.Context, request interface{}, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (_ interface{}, err error) {
		defer func() {
			if problem := recover(); problem != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n%s", info.FullMethod, problem, debug.Stack())
				err = status.Errorf(codes.Unknown, "unexpected error: %v", problem)
			}
		}()
		sent, _ := metadata.FromIncomingContext(ctx)
		given := append(sent.Get("authorization"), "")[0]
		if token != "" && subtle.ConstantTimeCompare([]byte(given), expected) != 1 {
			return nil, status.Error(codes.Unauthenticated, "Send PLUGIN_TOKEN as authorization: Bearer …")
		}
		return next(ctx, request)
	}
}

// stop lets open calls end, but no longer than 2 s: Waystation kills a local plugin 3.5 s after it closes its input.
func stop(server *grpc.Server) {
	time.AfterFunc(2*time.Second, server.Stop)
	server.GracefulStop()
}

func main() {
	rand.Seed(time.Now().UnixNano())
	token := os.Getenv("PLUGIN_TOKEN")
	address := os.Getenv("PLUGIN_LISTEN_ADDR")
	if address == "" {
		address = "127.0.0.1:9014"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	server := grpc.NewServer(
		grpc.UnaryInterceptor(onlyWith(token)),
		grpc.MaxRecvMsgSize(maxMessage),
		grpc.MaxSendMsgSize(maxMessage),
	)
	pb.RegisterPluginServer(server, plugin{})
	pb.RegisterToolProviderServer(server, tools{})
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, os.Interrupt)
	go func() {
		<-signals
		stop(server)
	}()
	fmt.Printf("1|1|tcp|%s|grpc\n", listener.Addr())
	if token != "" {
		// The server started this process. Its input closes when the server stops the plugin, or has ended.
		go func() {
			io.Copy(io.Discard, os.Stdin)
			stop(server)
		}()
	}
	if err := server.Serve(listener); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
