// Plays a round with the client that openapi-generator makes for Go: URL RULESET PLAYERS.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strconv"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func good[T any](answer T, _ *http.Response, err error) T {
	if err != nil {
		if problem, ok := err.(*api.GenericOpenAPIError); ok {
			err = fmt.Errorf("%w: %s", err, problem.Body())
		}
		panic(err)
	}
	return answer
}

func main() {
	players, _ := strconv.Atoi(os.Args[3])
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Args[1]}}
	client, me := api.NewAPIClient(configuration), context.Background()
	lin := api.NewRegistration("Lin")
	lin.SetKind("bot")
	registered := good(client.PlayersAPI.Register(me).Registration(*lin).Execute())
	me = context.WithValue(me, api.ContextAccessToken, registered.Token)

	setup := api.NewTableSetup(os.Args[2], int32(players))
	setup.SetOptions(map[string]interface{}{"deal_pace": "instant"})
	setup.SetAiPaceMs(0)
	table := good(client.TablesAPI.CreateTable(me).TableSetup(*setup).Execute()).Id
	seat := api.NewSitting()
	seat.SetSeat(0)
	good(client.SeatsAPI.TakeSeat(me, table).Sitting(*seat).Execute())
	for other := 1; other < players; other++ {
		good(client.SeatsAPI.SeatAi(me, table, int32(other)).AiSeat(*api.NewAiSeat()).Execute())
	}
	good(client.SeatsAPI.Ready(me, table).ReadyState(*api.NewReadyState()).Execute())

	after, actions, tricks := int32(0), 0, int32(0)
	for {
		page := good(client.EventsAPI.ListEvents(me, table).After(after).Wait(20).Execute())
		after = page.NextAfter
		for _, event := range page.Events {
			if won := event.TrickWonEvent; won != nil {
				tricks = won.Data.Number
			} else if scored := event.RoundScoredEvent; scored != nil {
				fmt.Printf("%d actions, %d tricks, %d points\n", actions, tricks, scored.Data.GetPoints())
				return
			} else if event.OtherEvent != nil {
				panic("an event that the document does not know")
			}
		}
		view := good(client.TablesAPI.GetTable(me, table).Execute())
		if view.Version > after || view.Decision.Get() == nil {
			continue
		}
		if act(client.ActionsAPI, me, table, view.Decision.Get()) {
			actions++
		}
	}
}

// act answers a decision by its hints, which have a type for each kind. It returns false if others are asked.
func act(actions *api.ActionsAPIService, me context.Context, table string, open *api.OpenDecision) bool {
	if open.PlayDecision != nil && open.PlayDecision.Hints != nil {
		play := api.NewPlayAction(open.PlayDecision.Id, open.PlayDecision.Hints.Example)
		good(actions.Play(me, table).PlayAction(*play).Execute())
	} else if open.DiscardDecision != nil && open.DiscardDecision.Hints != nil {
		discard := api.NewDiscardAction(open.DiscardDecision.Id, open.DiscardDecision.Hints.Example)
		good(actions.Discard(me, table).DiscardAction(*discard).Execute())
	} else if open.CallDecision != nil && open.CallDecision.Hints != nil {
		var calls []api.CardCall
		for _, card := range open.CallDecision.Hints.Example {
			calls = append(calls, api.CardCall{Card: card.Card, Ordinal: card.Ordinal, Other: card.Other})
		}
		good(actions.CallFriends(me, table).CallAction(*api.NewCallAction(open.CallDecision.Id, calls)).Execute())
	} else if open.DeclareDecision != nil && open.DeclareDecision.Hints != nil {
		if sets := open.DeclareDecision.Hints.Possible; len(sets) > 0 {
			good(actions.Declare(me, table).DeclareAction(*api.NewDeclareAction(open.DeclareDecision.Id, sets[0])).Execute())
		} else {
			good(actions.PassDecision(me, table).PassAction(*api.NewPassAction(open.DeclareDecision.Id)).Execute())
		}
	} else if open.DefendDecision != nil && open.DefendDecision.Hints != nil {
		good(actions.PassDecision(me, table).PassAction(*api.NewPassAction(open.DefendDecision.Id)).Execute())
	} else {
		return false
	}
	return true
}
