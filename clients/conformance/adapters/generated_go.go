// Adapter of the client that openapi-generator makes for Go, for the conformance kit.
//
// The generated code sends no request twice and has no streams: `patiently` adds what the guide asks of every client,
// and `follow` and `fold` are not tried.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"time"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

const attempts = 6

type task struct {
	Goal, Url, Token, Table   string
	Setup                     api.TableSetup
	Count, After, Limit, Wait int32
}

type report map[string]any

// refused is thrown for a refusal, which ends a task.
type refused struct {
	status int
	body   []byte
}

func (r refused) report() report {
	var problem api.Problem
	if json.Unmarshal(r.body, &problem) != nil {
		return report{"problem": report{"status": r.status, "code": "", "text": fmt.Sprintf("status %d", r.status)}}
	}
	return report{"problem": report{"status": r.status, "code": problem.Code, "text": problem.Detail}}
}

// patiently sends a request until it is answered, and returns the answer.
func patiently[T any](send func() (T, *http.Response, error)) T {
	for attempt := 0; ; attempt++ {
		answer, response, err := send()
		if err == nil {
			return answer
		}
		pause := time.Duration(attempt) * time.Second
		if response != nil && response.StatusCode >= 300 {
			switch response.StatusCode {
			case 429, 502, 503, 504:
				if after, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
					pause = time.Duration(after) * time.Second
				}
			default:
				attempt = attempts
			}
		}
		if attempt >= attempts-1 {
			if problem, ok := err.(*api.GenericOpenAPIError); ok && response != nil {
				panic(refused{response.StatusCode, problem.Body()})
			}
			panic(err)
		}
		time.Sleep(pause)
	}
}

type player struct {
	*api.APIClient
	me context.Context
}

func newPlayer(given task) player {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: given.Url}}
	configuration.HTTPClient = &http.Client{
		Timeout:       5 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	me := context.WithValue(context.Background(), api.ContextAccessToken, given.Token)
	return player{api.NewAPIClient(configuration), me}
}

func key() string {
	bytes := make([]byte, 16)
	rand.Read(bytes)
	bytes[6], bytes[8] = bytes[6]&0x0f|0x40, bytes[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
}

func (p player) register(task) report {
	request := p.PlayersAPI.Register(p.me).Registration(*api.NewRegistration("Lin")).IdempotencyKey(key())
	return report{"token": patiently(request.Execute).Token}
}

func (p player) create(given task) report {
	tables := []string{}
	for range given.Count {
		request := p.TablesAPI.CreateTable(p.me).TableSetup(given.Setup).IdempotencyKey(key())
		tables = append(tables, patiently(request.Execute).Id)
	}
	return report{"tables": tables}
}

func (p player) view(given task) report {
	view := patiently(p.TablesAPI.GetTable(p.me, given.Table).Execute)
	answer := report{"version": view.Version, "status": view.Status, "decision": nil}
	if decision := view.Decision.Get(); decision != nil {
		answer["decision"] = common(decision).Kind
	}
	return answer
}

func (p player) act(given task) report {
	view := patiently(p.TablesAPI.GetTable(p.me, given.Table).Execute)
	return report{"version": p.answer(given.Table, view.Decision.Get()).Version}
}

func (p player) play(given task) report {
	ready := p.SeatsAPI.Ready(p.me, given.Table).ReadyState(*api.NewReadyState())
	patiently(ready.Execute)
	for after := int32(0); ; {
		after = patiently(p.EventsAPI.ListEvents(p.me, given.Table).After(after).Wait(20).Execute).NextAfter
		view := patiently(p.TablesAPI.GetTable(p.me, given.Table).Execute)
		if after < view.Version {
			continue
		}
		if view.Status == "finished" {
			return report{"version": view.Version, "status": view.Status, "winners": view.Game.Get().Winners}
		}
		if decision := view.Decision.Get(); decision != nil && common(decision).asks(0) {
			p.answer(given.Table, decision)
		}
	}
}

func (p player) poll(given task) report {
	seqs, after := []int32{}, given.After
	for {
		request := p.EventsAPI.ListEvents(p.me, given.Table).After(after).Limit(given.Limit).Wait(given.Wait)
		page := patiently(request.Execute)
		for _, event := range page.Events {
			seqs = append(seqs, seqOf(event))
		}
		if after = page.NextAfter; after == page.Version {
			return report{"seqs": seqs}
		}
	}
}

// decision has what the decisions of all kinds have; Go has a type for each of them.
type decision struct {
	Id, Kind string
	Seats    []int32
}

func (d decision) asks(seat int32) bool {
	for _, each := range d.Seats {
		if each == seat {
			return true
		}
	}
	return false
}

func common(open *api.OpenDecision) (found decision) {
	reread(open.GetActualInstance(), &found)
	return found
}

func seqOf(event api.Event) int32 {
	var found struct{ Seq int32 }
	reread(event.GetActualInstance(), &found)
	return found.Seq
}

func reread(value, into any) {
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		panic(err)
	}
}

// answer answers a decision by its hints, which have a type for each kind.
func (p player) answer(table string, open *api.OpenDecision) *api.Outcome {
	id, actions := common(open).Id, p.ActionsAPI
	switch {
	case open.ReadyDecision != nil:
		return patiently(p.SeatsAPI.Ready(p.me, table).ReadyState(*api.NewReadyState()).Execute)
	case open.PlayDecision != nil:
		action := api.NewPlayAction(id, open.PlayDecision.Hints.Example)
		return patiently(actions.Play(p.me, table).PlayAction(*action).Execute)
	case open.DiscardDecision != nil:
		action := api.NewDiscardAction(id, open.DiscardDecision.Hints.Example)
		return patiently(actions.Discard(p.me, table).DiscardAction(*action).Execute)
	case open.CallDecision != nil:
		var calls []api.CardCall
		for _, card := range open.CallDecision.Hints.Example {
			calls = append(calls, api.CardCall{Card: card.Card, Ordinal: card.Ordinal, Other: card.Other})
		}
		return patiently(actions.CallFriends(p.me, table).CallAction(*api.NewCallAction(id, calls)).Execute)
	case open.RoadDecision != nil:
		action := api.NewRoadAction(id, string(open.RoadDecision.Hints.Example))
		return patiently(actions.StateRoad(p.me, table).RoadAction(*action).Execute)
	}
	return patiently(actions.PassDecision(p.me, table).PassAction(*api.NewPassAction(id)).Execute)
}

// done does a task. A panic ends it, not the adapter.
func done(given task) (answer report) {
	defer func() {
		switch failure := recover().(type) {
		case nil:
		case refused:
			answer = failure.report()
		default:
			answer = report{"failed": fmt.Sprint(failure)}
		}
	}()
	player := newPlayer(given)
	goals := map[string]func(task) report{
		"register": player.register, "create": player.create, "view": player.view,
		"act": player.act, "play": player.play, "poll": player.poll,
	}
	return goals[given.Goal](given)
}

func main() {
	out := json.NewEncoder(os.Stdout)
	can := []string{"register", "create", "view", "act", "play", "poll"}
	out.Encode(report{"client": "openapi-generator go", "can": can})
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		// Some tasks have no table to set up, which the generated type would refuse.
		var given task
		json.Unmarshal(line, &given)
		out.Encode(done(given))
	}
}
