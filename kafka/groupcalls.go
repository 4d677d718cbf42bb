package kafka

import (
	"context"
	"fmt"
	"time"

	kafkago "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// findCoordinator asks which broker runs the group.
func (m *member) findCoordinator(ctx context.Context) error {
	kresp, err := m.g.c.ask(ctx, func() kmsg.Request {
		req := kmsg.NewPtrFindCoordinatorRequest()
		req.CoordinatorKey = m.g.cfg.ID
		return req
	}, wantCoordinator)
	if err != nil {
		return err
	}
	resp := kresp.(*kmsg.FindCoordinatorResponse)
	if err := codeError(resp.ErrorCode); err != nil {
		return fmt.Errorf("finding the coordinator: %w", err)
	}
	m.coordinator = resp.NodeID
	return nil
}

// call asks the coordinator, which may let wait pass before it answers.
func (m *member) call(ctx context.Context, req kmsg.Request, want int16, wait time.Duration) (kmsg.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, wait+m.g.cfg.SessionTimeout/3)
	defer cancel()
	return m.g.c.doFor(ctx, m.coordinator, req, want, wait)
}

// join meets the other members in a new generation, and says what this one owns. It is as long under way as the others
// take to come, at most the rebalance timeout.
func (m *member) join(ctx context.Context, topics []string) (*kmsg.JoinGroupResponse, error) {
	m.reported = m.holds()
	for {
		p := kmsg.NewJoinGroupRequestProtocol()
		p.Name, p.Metadata = groupProtocol, subscription(topics, m.reported, m.generation)
		req := kmsg.NewPtrJoinGroupRequest()
		req.Group, req.MemberID, req.ProtocolType = m.g.cfg.ID, m.id, groupProtocolType
		req.Protocols = append(req.Protocols, p)
		req.SessionTimeoutMillis = int32(m.g.cfg.SessionTimeout.Milliseconds())
		req.RebalanceTimeoutMillis = int32(m.g.cfg.RebalanceTimeout.Milliseconds())
		kresp, err := m.call(ctx, req, wantJoinGroup, m.g.cfg.RebalanceTimeout)
		if err != nil {
			return nil, err
		}
		resp := kresp.(*kmsg.JoinGroupResponse)
		err = codeError(resp.ErrorCode)
		if isCode(err, kafkago.MemberIDRequired) && m.id == "" {
			m.id = resp.MemberID // it is known now, so that it can also leave
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("joining: %w", err)
		}
		m.id = resp.MemberID
		return resp, nil
	}
}

// deal shares the partitions out, which the group asks of one member.
func (m *member) deal(ctx context.Context, members []kmsg.JoinGroupResponseMember) ([]kmsg.SyncGroupRequestGroupAssignment, error) {
	var all []claimant
	wanted := map[string]bool{}
	for _, r := range members {
		c, err := readSubscription(r.MemberID, r.ProtocolMetadata)
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		for t := range c.topics {
			wanted[t] = true
		}
	}
	partitions, err := m.partitions(ctx, wanted)
	if err != nil {
		return nil, err
	}
	m.dealt = partitions
	var out []kmsg.SyncGroupRequestGroupAssignment
	for id, tps := range share(all, partitions) {
		a := kmsg.NewSyncGroupRequestGroupAssignment()
		a.MemberID, a.MemberAssignment = id, assignment(tps)
		out = append(out, a)
	}
	return out, nil
}

// sync gives the partitions that this generation has for the member.
func (m *member) sync(ctx context.Context, generation int32, deal []kmsg.SyncGroupRequestGroupAssignment) ([]TopicPartition, error) {
	req := kmsg.NewPtrSyncGroupRequest()
	req.Group, req.MemberID, req.Generation = m.g.cfg.ID, m.id, generation
	req.ProtocolType, req.Protocol = kmsg.StringPtr(groupProtocolType), kmsg.StringPtr(groupProtocol)
	req.GroupAssignment = deal
	kresp, err := m.call(ctx, req, wantSyncGroup, m.g.cfg.RebalanceTimeout)
	if err != nil {
		return nil, err
	}
	resp := kresp.(*kmsg.SyncGroupResponse)
	if err := codeError(resp.ErrorCode); err != nil {
		return nil, fmt.Errorf("asking for the partitions: %w", err)
	}
	return readAssignment(resp.MemberAssignment)
}

func (m *member) heartbeat(ctx context.Context) error {
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.MemberID, req.Generation = m.g.cfg.ID, m.id, m.generation
	kresp, err := m.call(ctx, req, wantHeartbeat, 0)
	if err != nil {
		return err
	}
	if err := codeError(kresp.(*kmsg.HeartbeatResponse).ErrorCode); err != nil {
		return fmt.Errorf("sending a heartbeat: %w", err)
	}
	return nil
}

// leavePatience is how long leaving may wait for the group's answer; without it the session has to end by itself.
const leavePatience = 2 * time.Second

// quit tells the group that this member is gone, so that it need not wait for the session's end.
func (m *member) quit() {
	if m.id == "" || m.coordinator < 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), leavePatience)
	defer cancel()
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group, req.MemberID = m.g.cfg.ID, m.id
	me := kmsg.NewLeaveGroupRequestMember()
	me.MemberID = m.id
	req.Members = append(req.Members, me)
	if _, err := m.call(ctx, req, wantLeaveGroup, 0); err != nil {
		m.g.c.cfg.Log.Warn().Err(err).Msg("leaving consumer group " + m.g.cfg.ID + "; it goes on when the session is over")
	}
}
